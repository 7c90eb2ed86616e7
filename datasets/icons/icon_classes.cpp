// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/icons/icon_themes.h"

#include <vector>

namespace palimpsest {

// Chosen by eye: every file shows its class, is in the packages of Debian 12 and of Debian 13, has no text (which would
// be set in whatever font is installed), and no two of them are the same.
std::span<const IconClass> iconClasses() {
    static const std::vector<IconClass> all{
        {"calculator",
         "Tango/scalable/apps/accessories-calculator.svg gnome/256x256/apps/accessories-calculator.png "
         "suru/apps/512/calculator-app.png Faba/64x64/apps/accessories-calculator.svg "
         "elementary/apps/128/accessories-calculator.svg breeze/apps/48/accessories-calculator.svg "
         "oxygen/base/256x256/apps/accessories-calculator.png"},
        {"camera",
         "Tango/scalable/devices/camera-photo.svg gnome/256x256/devices/camera-photo.png "
         "Nuovo/scalable/apps/camera.svg yasis/scalable/apps/camera.svg nuoveXT2/128x128/devices/camera-photo.png "
         "Numix/64/devices/camera-photo.svg Faba/48x48/devices/camera-photo.svg elementary/devices/64/camera-photo.svg "
         "breeze/devices/64/camera-photo.svg oxygen/base/256x256/devices/camera-photo.png"},
        {"printer",
         "Tango/scalable/devices/printer.svg gnome/256x256/devices/printer.png "
         "Nuovo/scalable/devices/gnome-dev-printer.svg yasis/scalable/devices/gnome-dev-printer.svg "
         "gartoon/scalable/apps/printer.svg nuoveXT2/128x128/devices/printer.png Numix/64/devices/printer.svg "
         "Faba/48x48/devices/printer.svg elementary/devices/48/printer.svg breeze/devices/64/printer.svg "
         "oxygen/base/256x256/devices/printer.png"},
        {"trash can",
         "Tango/scalable/places/user-trash.svg gnome/256x256/places/user-trash.png "
         "Nuovo/scalable/filesystems/gnome-fs-trash-empty.svg yasis/scalable/filesystems/gnome-fs-trash-empty.svg "
         "gartoon/scalable/filesystems/gnome-fs-trash-empty.svg nuoveXT2/128x128/places/user-trash.png "
         "Numix/64/places/user-trash.svg elementary/places/128/user-trash.svg breeze/places/96/user-trash.svg "
         "oxygen/base/256x256/places/user-trash.png"},
        {"folder",
         "Tango/scalable/places/folder.svg gnome/256x256/places/folder.png "
         "Nuovo/scalable/filesystems/gnome-fs-directory.svg yasis/scalable/filesystems/gnome-fs-directory.svg "
         "gartoon/scalable/filesystems/gnome-fs-directory.svg nuoveXT2/128x128/places/folder.png "
         "Numix/64/places/folder.svg suru/places/512/folder.png Faba/96x96/places/folder.svg "
         "elementary/places/128/folder.svg breeze/places/96/folder.svg oxygen/base/256x256/places/folder.png"},
        {"house",
         "Tango/scalable/actions/go-home.svg gnome/48x48/actions/go-home.png Nuovo/scalable/stock/gtk-home.svg "
         "yasis/scalable/stock/gtk-home.svg gartoon/scalable/stock/gtk-home.svg nuoveXT2/128x128/actions/gtk-home.png "
         "Numix/32/actions/go-home.svg suru/actions/scalable/go-home.svg Faba/24x24/actions/go-home.svg "
         "elementary/actions/24/go-home.svg breeze/actions/64/go-home.svg oxygen/base/48x48/actions/go-home.png"},
        {"keyboard",
         "Tango/scalable/devices/input-keyboard.svg gnome/256x256/devices/input-keyboard.png "
         "Nuovo/scalable/devices/gnome-dev-keyboard.svg yasis/scalable/devices/gnome-dev-keyboard.svg "
         "nuoveXT2/128x128/devices/input-keyboard.png Numix/64/devices/input-keyboard.svg "
         "Faba/48x48/devices/input-keyboard.svg elementary/devices/128/input-keyboard.svg "
         "breeze/devices/64/input-keyboard.svg oxygen/base/256x256/devices/input-keyboard.png"},
        {"computer mouse",
         "Tango/scalable/devices/input-mouse.svg gnome/256x256/devices/input-mouse.png "
         "Nuovo/scalable/devices/gnome-dev-mouse-ball.svg yasis/scalable/devices/gnome-dev-mouse-ball.svg "
         "Numix/64/devices/input-mouse.svg Faba/48x48/devices/input-mouse.svg elementary/devices/128/input-mouse.svg "
         "breeze/devices/64/input-mouse.svg oxygen/base/256x256/devices/input-mouse.png"},
        {"game controller",
         "gnome/48x48/devices/input-gaming.png Nuovo/scalable/apps/gnome-joystick.svg "
         "Numix/64/devices/input-gaming.svg Faba/48x48/devices/input-gaming.svg "
         "elementary/devices/128/input-gaming.svg breeze/devices/64/input-gaming.svg "
         "oxygen/base/128x128/devices/input-gaming.png"},
        {"computer screen",
         "Tango/scalable/devices/computer.svg gnome/256x256/devices/computer.png "
         "Nuovo/scalable/filesystems/gnome-fs-client.svg yasis/scalable/filesystems/gnome-fs-client.svg "
         "gartoon/scalable/filesystems/gnome-fs-client.svg nuoveXT2/128x128/devices/computer.png "
         "Numix/64/devices/computer.svg Faba/48x48/devices/computer.svg elementary/devices/128/computer.svg "
         "breeze/devices/64/computer.svg oxygen/base/256x256/devices/computer.png"},
        {"hard disk",
         "Tango/scalable/devices/drive-harddisk.svg Nuovo/scalable/devices/gnome-dev-harddisk.svg "
         "yasis/scalable/devices/gnome-dev-harddisk.svg gartoon/scalable/devices/gnome-dev-harddisk.svg "
         "nuoveXT2/128x128/devices/drive-harddisk.png Numix/64/devices/drive-harddisk.svg "
         "Faba/48x48/devices/drive-harddisk.svg elementary/devices/128/drive-harddisk.svg "
         "breeze/devices/64/drive-harddisk.svg oxygen/base/256x256/devices/drive-harddisk.png"},
        {"floppy disk",
         "Tango/scalable/devices/media-floppy.svg gnome/256x256/devices/media-floppy.png "
         "Nuovo/scalable/devices/gnome-dev-floppy.svg yasis/scalable/devices/gnome-dev-floppy.svg "
         "gartoon/scalable/devices/gnome-dev-floppy.svg nuoveXT2/128x128/devices/media-floppy.png "
         "Numix/64/devices/media-floppy.svg breeze/devices/22/media-floppy.svg "
         "oxygen/base/256x256/devices/media-floppy.png"},
        {"compact disc",
         "Tango/scalable/devices/media-optical.svg gnome/256x256/devices/media-optical.png "
         "yasis/scalable/devices/gnome-dev-disc-cdr.svg nuoveXT2/128x128/devices/media-optical.png "
         "Numix/64/devices/media-optical.svg Faba/64x64/mimetypes/media-optical.png "
         "elementary/devices/128/media-optical.svg breeze/devices/64/media-optical.svg "
         "oxygen/base/256x256/devices/media-optical.png"},
        {"memory card",
         "Tango/scalable/devices/media-flash.svg gnome/256x256/devices/media-flash.png "
         "Nuovo/scalable/devices/gnome-dev-media-sdmmc.svg yasis/scalable/devices/gnome-dev-media-sdmmc.svg "
         "Numix/64/devices/media-flash.svg elementary/devices/48/media-flash.svg "
         "breeze/devices/64/media-flash-sd-mmc.svg oxygen/base/256x256/devices/media-flash-sd-mmc.png"},
        {"microphone",
         "Tango/scalable/devices/audio-input-microphone.svg gnome/256x256/devices/audio-input-microphone.png "
         "Numix/64/devices/audio-input-microphone.svg elementary/devices/128/audio-input-microphone.svg "
         "breeze/devices/22/audio-input-microphone.svg oxygen/base/128x128/devices/audio-input-microphone.png"},
        {"loudspeaker",
         "Tango/scalable/status/audio-volume-high.svg gnome/256x256/status/audio-volume-high.png "
         "Nuovo/scalable/stock/stock_volume-max.svg nuoveXT2/128x128/status/audio-volume-high.png "
         "Numix/24/status/audio-volume-high.svg suru/status/scalable/audio-volume-high.svg "
         "Faba/24x24/panel/audio-volume-high.svg breeze/status/22/audio-volume-high.svg "
         "oxygen/base/48x48/status/audio-volume-high.png"},
        {"musical note",
         "Tango/scalable/mimetypes/audio-x-generic.svg gnome/256x256/mimetypes/audio-x-generic.png "
         "Nuovo/scalable/mimetypes/audio/gnome-mime-audio.svg yasis/scalable/mimetypes/audio/gnome-mime-audio.svg "
         "gartoon/scalable/mimetypes/gnome-mime-audio.svg nuoveXT2/128x128/mimetypes/audio-x-generic.png "
         "Numix/64/mimetypes/audio-x-generic.svg Faba/64x64/mimetypes/audio-x-generic.png "
         "elementary/mimes/128/audio-x-generic.svg oxygen/base/256x256/mimetypes/audio-x-generic.png"},
        {"battery",
         "Tango/scalable/devices/battery.svg gnome/256x256/devices/battery.png "
         "Nuovo/scalable/devices/gnome-dev-battery.svg Numix/64/devices/battery.svg elementary/devices/48/battery.svg "
         "breeze/status/32/battery-100.svg oxygen/base/128x128/devices/battery.png"},
        {"telephone receiver",
         "gnome/48x48/actions/call-start.png Numix/32/actions/call-start.svg suru/actions/scalable/call-start.svg "
         "Faba/48x48/actions/call-start.svg elementary/actions/16/call-start.svg breeze/actions/32/call-start.svg "
         "oxygen/base/128x128/actions/call-start.png"},
        {"music player",
         "gnome/256x256/devices/multimedia-player.png Nuovo/scalable/devices/gnome-dev-ipod.svg "
         "gartoon/scalable/devices/gnome-dev-ipod.svg nuoveXT2/128x128/devices/multimedia-player.png "
         "Numix/64/devices/multimedia-player.svg elementary/devices/48/multimedia-player.svg "
         "breeze/devices/64/multimedia-player.svg oxygen/base/128x128/devices/multimedia-player.png"},
        {"magnifying glass",
         "Tango/scalable/actions/system-search.svg gnome/256x256/actions/edit-find.png "
         "Nuovo/scalable/stock/gtk-find.svg yasis/scalable/stock/gtk-find.svg gartoon/scalable/stock/gtk-find.svg "
         "nuoveXT2/128x128/actions/edit-find.png Numix/32/actions/edit-find.svg suru/actions/scalable/edit-find.svg "
         "Faba/24x24/actions/edit-find.svg elementary/actions/48/edit-find.svg breeze/actions/22/edit-find.svg "
         "oxygen/base/128x128/actions/page-zoom.png"},
        {"scissors",
         "Tango/scalable/actions/edit-cut.svg gnome/48x48/actions/edit-cut.png Nuovo/scalable/stock/gtk-cut.svg "
         "yasis/scalable/stock/gtk-cut.svg gartoon/scalable/stock/gtk-cut.svg nuoveXT2/128x128/actions/edit-cut.png "
         "Numix/32/actions/edit-cut.svg suru/actions/scalable/edit-cut.svg Faba/24x24/actions/edit-cut.svg "
         "elementary/actions/24/edit-cut.svg breeze/actions/22/edit-cut.svg oxygen/base/48x48/actions/edit-cut.png"},
        {"clipboard",
         "Tango/scalable/actions/edit-paste.svg gnome/48x48/actions/edit-paste.png Nuovo/scalable/stock/gtk-paste.svg "
         "yasis/scalable/stock/gtk-paste.svg gartoon/scalable/stock/gtk-paste.svg "
         "nuoveXT2/128x128/actions/edit-paste.png Numix/32/actions/edit-paste.svg suru/actions/scalable/edit-paste.svg "
         "Faba/24x24/actions/edit-paste.svg elementary/actions/48/edit-paste.svg breeze/actions/22/edit-paste.svg "
         "oxygen/base/128x128/actions/edit-paste.png"},
        {"undo arrow",
         "Tango/scalable/actions/edit-undo.svg gnome/48x48/actions/edit-undo.png yasis/scalable/stock/gtk-undo-ltr.svg "
         "gartoon/scalable/stock/gtk-undo-ltr.svg nuoveXT2/128x128/actions/edit-undo.png "
         "Numix/32/actions/edit-undo.svg Faba/24x24/actions/edit-undo.svg elementary/actions/48/edit-undo.svg "
         "breeze/actions/32/edit-undo.svg oxygen/base/48x48/actions/edit-undo.png"},
        {"redo arrow",
         "Tango/scalable/actions/edit-redo.svg gnome/48x48/actions/edit-redo.png yasis/scalable/stock/gtk-redo-ltr.svg "
         "gartoon/scalable/stock/gtk-redo-ltr.svg nuoveXT2/128x128/actions/edit-redo.png "
         "Numix/32/actions/edit-redo.svg Faba/24x24/actions/edit-redo.svg elementary/actions/48/edit-redo.svg "
         "breeze/actions/32/edit-redo.svg oxygen/base/48x48/actions/edit-redo.png"},
        {"arrow up",
         "Tango/scalable/actions/go-up.svg gnome/48x48/actions/go-up.png Nuovo/scalable/stock/gtk-go-up.svg "
         "yasis/scalable/stock/gtk-go-up.svg gartoon/scalable/stock/gtk-go-up.svg nuoveXT2/128x128/actions/go-up.png "
         "Numix/32/actions/go-up.svg suru/actions/scalable/go-up.svg Faba/24x24/actions/go-up.svg "
         "elementary/actions/48/go-up.svg breeze/actions/32/go-up.svg oxygen/base/128x128/actions/go-up.png"},
        {"arrow down",
         "Tango/scalable/actions/go-down.svg gnome/48x48/actions/go-down.png Nuovo/scalable/stock/gtk-go-down.svg "
         "yasis/scalable/stock/gtk-go-down.svg gartoon/scalable/stock/gtk-go-down.svg "
         "nuoveXT2/128x128/actions/go-down.png Numix/32/actions/go-down.svg suru/actions/scalable/go-down.svg "
         "Faba/24x24/actions/go-down.svg elementary/actions/48/go-down.svg breeze/actions/32/go-down.svg "
         "oxygen/base/128x128/actions/go-down.png"},
        {"arrow left",
         "Tango/scalable/actions/go-previous.svg gnome/256x256/actions/go-previous.png "
         "Nuovo/scalable/stock/gtk-go-back-ltr.svg yasis/scalable/stock/gtk-go-back-ltr.svg "
         "gartoon/scalable/stock/gtk-go-back-ltr.svg nuoveXT2/128x128/actions/go-previous.png "
         "Numix/32/actions/go-previous.svg suru/actions/scalable/go-previous.svg Faba/24x24/actions/go-previous.svg "
         "elementary/actions/48/go-previous.svg breeze/actions/32/go-previous.svg "
         "oxygen/base/128x128/actions/go-previous.png"},
        {"arrow right",
         "Tango/scalable/actions/go-next.svg gnome/256x256/actions/go-next.png "
         "Nuovo/scalable/stock/gtk-go-forward-ltr.svg yasis/scalable/stock/gtk-go-forward-ltr.svg "
         "gartoon/scalable/stock/gtk-go-forward-ltr.svg nuoveXT2/128x128/actions/go-next.png "
         "Numix/32/actions/go-next.svg suru/actions/scalable/go-next.svg Faba/24x24/actions/go-next.svg "
         "elementary/actions/48/go-next.svg breeze/actions/32/go-next.svg oxygen/base/128x128/actions/go-next.png"},
        {"circular arrow",
         "Tango/scalable/actions/view-refresh.svg gnome/256x256/actions/view-refresh.png "
         "Nuovo/scalable/stock/gtk-refresh.svg yasis/scalable/stock/gtk-refresh.svg "
         "gartoon/scalable/stock/gtk-refresh.svg Numix/32/actions/view-refresh.svg "
         "suru/actions/scalable/view-refresh.svg Faba/24x24/actions/view-refresh.svg "
         "elementary/actions/48/view-refresh.svg breeze/actions/32/view-refresh.svg "
         "oxygen/base/48x48/actions/view-refresh.png"},
        {"plus sign",
         "Tango/scalable/actions/list-add.svg gnome/48x48/actions/list-add.png Nuovo/scalable/stock/gtk-add.svg "
         "yasis/scalable/stock/gtk-add.svg gartoon/scalable/stock/gtk-add.svg nuoveXT2/128x128/actions/list-add.png "
         "Numix/32/actions/list-add.svg suru/actions/scalable/list-add.svg Faba/24x24/actions/list-add.svg "
         "elementary/actions/48/list-add.svg breeze/actions/22/list-add.svg oxygen/base/48x48/actions/list-add.png"},
        {"minus sign",
         "Tango/scalable/actions/list-remove.svg gnome/48x48/actions/list-remove.png "
         "Nuovo/scalable/stock/gtk-remove.svg yasis/scalable/stock/gtk-remove.svg "
         "gartoon/scalable/stock/gtk-remove.svg nuoveXT2/128x128/actions/list-remove.png "
         "Numix/32/actions/list-remove.svg suru/actions/scalable/list-remove.svg Faba/24x24/actions/list-remove.svg "
         "elementary/actions/48/list-remove.svg oxygen/base/128x128/actions/list-remove.png"},
        {"check mark",
         "gnome/48x48/emblems/emblem-default.png Nuovo/scalable/stock/gtk-ok.svg Numix/32/actions/gtk-ok.svg "
         "Faba/16x16/actions/gtk-ok.svg elementary/emblems/48/emblem-default.svg breeze/actions/32/gtk-ok.svg "
         "oxygen/base/22x22/actions/gtk-ok.png"},
        {"cross",
         "gnome/48x48/actions/window-close.png Nuovo/scalable/stock/gtk-close.svg yasis/scalable/stock/gtk-close.svg "
         "gartoon/scalable/stock/gtk-close.svg nuoveXT2/128x128/actions/window-close.png "
         "Numix/32/actions/window-close.svg Faba/24x24/actions/window-close.svg elementary/actions/48/window-close.svg "
         "breeze/actions/32/window-close.svg oxygen/base/48x48/actions/window-close.png"},
        {"play",
         "Tango/scalable/actions/media-playback-start.svg gnome/48x48/actions/media-playback-start.png "
         "Nuovo/scalable/stock/gtk-media-play-ltr.svg yasis/scalable/stock/gtk-media-play-ltr.svg "
         "gartoon/scalable/stock/gtk-media-play-ltr.svg Numix/32/actions/media-playback-start.svg "
         "suru/actions/scalable/media-playback-start.svg Faba/24x24/actions/media-playback-start.svg "
         "elementary/actions/48/media-playback-start.svg breeze/actions/32/media-playback-start.svg "
         "oxygen/base/48x48/actions/media-playback-start.png"},
        {"pause",
         "Tango/scalable/actions/media-playback-pause.svg gnome/48x48/actions/media-playback-pause.png "
         "Nuovo/scalable/stock/gtk-media-pause.svg yasis/scalable/stock/gtk-media-pause.svg "
         "Numix/32/actions/media-playback-pause.svg suru/actions/scalable/media-playback-pause.svg "
         "Faba/24x24/actions/media-playback-pause.svg elementary/actions/48/media-playback-pause.svg "
         "breeze/actions/32/media-playback-pause.svg oxygen/base/48x48/actions/media-playback-pause.png"},
        {"stop",
         "Tango/scalable/actions/media-playback-stop.svg gnome/48x48/actions/media-playback-stop.png "
         "Nuovo/scalable/stock/gtk-media-stop.svg yasis/scalable/stock/gtk-media-stop.svg "
         "gartoon/scalable/stock/gtk-media-stop.svg Numix/32/actions/media-playback-stop.svg "
         "suru/actions/scalable/media-playback-stop.svg Faba/24x24/actions/media-playback-stop.svg "
         "elementary/actions/48/media-playback-stop.svg breeze/actions/32/media-playback-stop.svg "
         "oxygen/base/48x48/actions/media-playback-stop.png"},
        {"record",
         "Tango/scalable/actions/media-record.svg gnome/48x48/actions/media-record.png "
         "Nuovo/scalable/stock/gtk-media-record.svg gartoon/scalable/stock/gtk-media-record.svg "
         "Numix/32/actions/media-record.svg suru/actions/scalable/media-record.svg Faba/24x24/actions/media-record.svg "
         "elementary/actions/48/media-record.svg breeze/actions/32/media-record.svg "
         "oxygen/base/48x48/actions/media-record.png"},
        {"skip forward",
         "Tango/scalable/actions/media-skip-forward.svg gnome/48x48/actions/media-skip-forward.png "
         "Nuovo/scalable/stock/gtk-media-next-ltr.svg yasis/scalable/stock/gtk-media-next-ltr.svg "
         "gartoon/scalable/stock/gtk-media-next-ltr.svg Numix/32/actions/media-skip-forward.svg "
         "suru/actions/scalable/media-skip-forward.svg Faba/24x24/actions/media-skip-forward.svg "
         "elementary/actions/48/media-skip-forward.svg breeze/actions/32/media-skip-forward.svg "
         "oxygen/base/48x48/actions/media-skip-forward.png"},
        {"fast forward",
         "Tango/scalable/actions/media-seek-forward.svg gnome/48x48/actions/media-seek-forward.png "
         "Nuovo/scalable/stock/gtk-media-forward-ltr.svg yasis/scalable/stock/gtk-media-forward-ltr.svg "
         "gartoon/scalable/stock/gtk-media-forward-ltr.svg Numix/32/actions/media-seek-forward.svg "
         "suru/actions/scalable/media-seek-forward.svg Faba/48x48/actions/media-seek-forward.svg "
         "elementary/actions/48/media-seek-forward.svg breeze/actions/32/media-seek-forward.svg "
         "oxygen/base/48x48/actions/media-seek-forward.png"},
        {"eject",
         "Tango/scalable/actions/media-eject.svg gnome/48x48/actions/media-eject.png Numix/32/actions/media-eject.svg "
         "suru/actions/scalable/media-eject.svg Faba/24x24/actions/media-eject.svg "
         "elementary/actions/48/media-eject.svg breeze/actions/32/media-eject.svg "
         "oxygen/base/48x48/actions/media-eject.png"},
        {"heart",
         "Tango/scalable/emblems/emblem-favorite.svg gnome/48x48/emblems/emblem-favorite.png "
         "Nuovo/scalable/emblems/emblem-favorite.svg Numix/64/emblems/emblem-favorite.svg "
         "elementary/emblems/24/emblem-favorite.svg breeze/actions/22/love.svg "
         "oxygen/base/48x48/emblems/emblem-favorite.png"},
        {"envelope",
         "Tango/scalable/actions/mail-message-new.svg gnome/48x48/status/mail-unread.png "
         "Nuovo/scalable/emblems/emblem-mail.svg yasis/scalable/emblems/emblem-mail.svg "
         "gartoon/scalable/emblems/emblem-mail.svg nuoveXT2/128x128/actions/mail-message-new.png "
         "Numix/32/actions/mail-unread.svg suru/actions/scalable/mail-unread.svg Faba/48x48/actions/mail-unread.svg "
         "breeze/actions/32/mail-unread.svg oxygen/base/128x128/apps/internet-mail.png"},
        {"calendar",
         "Tango/scalable/mimetypes/x-office-calendar.svg gnome/48x48/mimetypes/x-office-calendar.png "
         "Numix/64/mimetypes/x-office-calendar.svg Faba/48x48/mimetypes/x-office-calendar.svg "
         "elementary/mimes/128/x-office-calendar.svg breeze/mimetypes/64/x-office-calendar.svg "
         "oxygen/base/256x256/mimetypes/x-office-calendar.png"},
        {"clock",
         "Tango/scalable/actions/appointment-new.svg gnome/256x256/actions/appointment-new.png "
         "Nuovo/scalable/apps/clock.svg yasis/scalable/apps/clock.svg nuoveXT2/128x128/apps/clock.png "
         "Numix/22/actions/clock.svg suru/actions/scalable/clock.svg Faba/48x48/categories/preferences-system-time.svg "
         "elementary/categories/64/preferences-system-time.svg breeze/actions/22/clock.svg "
         "oxygen/base/256x256/apps/clock.png"},
        {"padlock",
         "gnome/48x48/status/changes-prevent.png Nuovo/scalable/stock/gtk-dialog-authentication.svg "
         "yasis/scalable/stock/gtk-dialog-authentication.svg gartoon/scalable/stock/gtk-dialog-authentication.svg "
         "Numix/48/status/changes-prevent.svg suru/actions/scalable/lock.svg Faba/24x24/emblems/emblem-readonly.svg "
         "elementary/status/48/changes-prevent.svg breeze/actions/22/lock.svg "
         "oxygen/base/48x48/status/object-locked.png"},
        {"globe",
         "Tango/scalable/categories/applications-internet.svg gnome/256x256/categories/applications-internet.png "
         "Nuovo/scalable/apps/gnome-globe.svg yasis/scalable/apps/gnome-globe.svg "
         "gartoon/scalable/apps/gnome-globe.svg nuoveXT2/128x128/categories/applications-internet.png "
         "Numix/64/categories/applications-internet.svg Faba/48x48/categories/applications-internet.svg "
         "breeze/categories/32/applications-internet.svg oxygen/base/256x256/categories/applications-internet.png"},
        {"terminal",
         "Tango/scalable/apps/utilities-terminal.svg gnome/256x256/apps/utilities-terminal.png "
         "Nuovo/scalable/apps/gnome-terminal.svg yasis/scalable/apps/gnome-terminal.svg "
         "gartoon/scalable/apps/gnome-terminal.svg nuoveXT2/128x128/apps/utilities-terminal.png "
         "Faba/64x64/apps/utilities-terminal.svg elementary/apps/128/utilities-terminal.svg "
         "breeze/apps/64/utilities-terminal.svg oxygen/base/128x128/apps/utilities-terminal.png"},
        {"notepad",
         "Tango/scalable/apps/accessories-text-editor.svg gnome/256x256/apps/accessories-text-editor.png "
         "Nuovo/scalable/apps/text-editor.svg yasis/scalable/apps/text-editor.svg "
         "gartoon/scalable/apps/text-editor.svg nuoveXT2/128x128/apps/accessories-text-editor.png "
         "elementary/apps/128/accessories-text-editor.svg breeze/apps/64/accessories-text-editor.svg "
         "oxygen/base/128x128/apps/accessories-text-editor.png"},
        {"warning sign",
         "Tango/scalable/status/dialog-warning.svg gnome/256x256/status/dialog-warning.png "
         "yasis/scalable/stock/gtk-dialog-warning.svg nuoveXT2/128x128/status/dialog-warning.png "
         "Faba/48x48/status/dialog-warning.svg elementary/status/64/dialog-warning.svg "
         "breeze/status/64/dialog-warning.svg oxygen/base/128x128/status/dialog-warning.png"},
        {"information sign",
         "Nuovo/scalable/stock/gtk-dialog-info.svg Numix/48/status/dialog-information.svg "
         "suru/actions/scalable/info.svg Faba/48x48/status/dialog-information.svg "
         "elementary/status/128/dialog-information.svg breeze/status/64/dialog-information.svg "
         "oxygen/base/128x128/status/dialog-information.png"},
        {"question mark",
         "gnome/256x256/status/dialog-question.png Nuovo/scalable/stock/gtk-dialog-question.svg "
         "yasis/scalable/stock/gtk-dialog-question.svg gartoon/scalable/stock/gtk-dialog-question.svg "
         "Numix/48/status/dialog-question.svg Faba/48x48/status/dialog-question.svg "
         "elementary/status/128/dialog-question.svg breeze/status/64/dialog-question.svg"},
        {"life ring",
         "gnome/256x256/apps/help-browser.png Nuovo/scalable/apps/gnome-help.svg yasis/scalable/apps/gnome-help.svg "
         "breeze/apps/48/help-browser.svg oxygen/base/128x128/apps/help-browser.png"},
        {"power button",
         "yasis/scalable/apps/gnome-logout.svg nuoveXT2/128x128/apps/gnome-logout.png "
         "Numix/32/actions/system-shutdown.svg suru/actions/scalable/system-shutdown.svg "
         "Faba/48x48/actions/system-shutdown.svg elementary/actions/48/system-shutdown.svg "
         "breeze/actions/32/system-shutdown.svg oxygen/base/128x128/actions/system-shutdown.png"},
        {"people",
         "Tango/scalable/apps/system-users.svg gnome/256x256/apps/system-users.png "
         "nuoveXT2/128x128/apps/system-users.png Numix/22/actions/system-users.svg elementary/apps/64/system-users.svg "
         "breeze/preferences/32/system-users.svg oxygen/base/256x256/categories/system-users.png"},
        {"spreadsheet",
         "Tango/scalable/mimetypes/x-office-spreadsheet.svg gnome/256x256/mimetypes/x-office-spreadsheet.png "
         "yasis/scalable/mimetypes/office/gnome-mime-application-vnd.ms-excel.svg "
         "Numix/64/mimetypes/x-office-spreadsheet.svg Faba/48x48/mimetypes/x-office-spreadsheet.svg "
         "elementary/mimes/128/x-office-spreadsheet.svg breeze/mimetypes/64/x-office-spreadsheet.svg "
         "oxygen/base/256x256/mimetypes/x-office-spreadsheet.png"},
        {"lettering",
         "Tango/scalable/mimetypes/font-x-generic.svg gnome/256x256/mimetypes/font-x-generic.png "
         "Nuovo/scalable/apps/gnome-settings-font.svg yasis/scalable/apps/gnome-settings-font.svg "
         "gartoon/scalable/apps/gnome-settings-font.svg nuoveXT2/128x128/mimetypes/font-x-generic.png "
         "Numix/64/mimetypes/font-x-generic.svg Faba/48x48/apps/preferences-desktop-font.svg "
         "elementary/mimes/128/font-x-generic.svg breeze/preferences/32/preferences-desktop-font.svg "
         "oxygen/base/128x128/apps/preferences-desktop-font.png"},
        {"picture",
         "Tango/scalable/mimetypes/image-x-generic.svg gnome/256x256/mimetypes/image-x-generic.png "
         "Nuovo/scalable/mimetypes/images/gnome-mime-image.svg yasis/scalable/mimetypes/image/gnome-mime-image.svg "
         "nuoveXT2/128x128/mimetypes/image-x-generic.png Numix/64/mimetypes/image-x-generic.svg "
         "Faba/64x64/mimetypes/image-x-generic.png elementary/mimes/128/image-x-generic.svg "
         "breeze/mimetypes/64/image-x-generic.svg oxygen/base/256x256/mimetypes/image-x-generic.png"},
        {"film",
         "Tango/scalable/mimetypes/video-x-generic.svg gnome/256x256/mimetypes/video-x-generic.png "
         "Nuovo/scalable/mimetypes/video/gnome-mime-video.svg yasis/scalable/mimetypes/video/gnome-mime-video.svg "
         "gartoon/scalable/mimetypes/gnome-mime-video.svg elementary/mimes/128/video-x-generic.svg "
         "breeze/mimetypes/64/video-x-generic.svg oxygen/base/256x256/mimetypes/video-x-generic.png"},
        {"parcel",
         "Tango/scalable/mimetypes/package-x-generic.svg gnome/256x256/mimetypes/package-x-generic.png "
         "Nuovo/scalable/mimetypes/packages/gnome-mime-application-x-archive.svg "
         "yasis/scalable/mimetypes/package/gnome-mime-application-x-archive.svg "
         "gartoon/scalable/mimetypes/gnome-mime-application-x-archive.svg "
         "nuoveXT2/128x128/mimetypes/package-x-generic.png Numix/64/mimetypes/package-x-generic.svg "
         "Faba/64x64/mimetypes/package-x-generic.png elementary/mimes/128/package-x-generic.svg "
         "oxygen/base/256x256/mimetypes/package-x-generic.png"},
        {"gear",
         "Tango/scalable/categories/applications-system.svg gnome/256x256/categories/applications-system.png "
         "Nuovo/scalable/apps/gnome-run.svg yasis/scalable/apps/gnome-run.svg gartoon/scalable/apps/gnome-run.svg "
         "nuoveXT2/128x128/categories/applications-system.png Numix/64/mimetypes/application-x-executable.svg "
         "elementary/mimes/128/application-x-executable.svg oxygen/base/256x256/categories/applications-system.png"},
        {"sun",
         "Tango/scalable/status/weather-clear.svg gnome/48x48/status/weather-clear.png "
         "Numix/48/status/weather-clear.svg suru/status/512/weather-clear.png breeze/applets/48/weather-clear.svg "
         "oxygen/base/128x128/status/weather-clear.png"},
        {"cloud",
         "Tango/scalable/status/weather-overcast.svg gnome/48x48/status/weather-overcast.png "
         "Numix/48/status/weather-overcast.svg suru/status/512/weather-overcast.png "
         "breeze/applets/48/weather-overcast.svg oxygen/base/128x128/status/weather-overcast.png"},
        {"rain",
         "Tango/scalable/status/weather-showers.svg gnome/48x48/status/weather-showers.png "
         "Numix/48/status/weather-showers.svg suru/status/512/weather-showers.png "
         "breeze/applets/48/weather-showers.svg oxygen/base/128x128/status/weather-showers.png"},
        {"snow",
         "Tango/scalable/status/weather-snow.svg gnome/48x48/status/weather-snow.png Numix/48/status/weather-snow.svg "
         "suru/status/512/weather-snow.png breeze/applets/48/weather-snow.svg "
         "oxygen/base/128x128/status/weather-snow.png"},
        {"thunderstorm",
         "Tango/scalable/status/weather-storm.svg gnome/48x48/status/weather-storm.png "
         "Numix/48/status/weather-storm.svg suru/status/512/weather-storm.png breeze/applets/48/weather-storm.svg "
         "oxygen/base/128x128/status/weather-storm.png"},
        {"moon",
         "Tango/scalable/status/weather-clear-night.svg gnome/48x48/status/weather-clear-night.png "
         "Numix/48/status/weather-clear-night.svg suru/status/512/weather-clear-night.png "
         "breeze/applets/48/weather-clear-night.svg oxygen/base/128x128/status/weather-clear-night.png"},
        {"sun behind a cloud",
         "Tango/scalable/status/weather-few-clouds.svg gnome/48x48/status/weather-few-clouds.png "
         "Numix/48/status/weather-few-clouds.svg suru/status/512/weather-few-clouds.png "
         "breeze/applets/48/weather-few-clouds.svg oxygen/base/128x128/status/weather-few-clouds.png"},
        {"smiling face",
         "Tango/scalable/emotes/face-smile.svg gnome/256x256/emotes/face-smile.png Numix/64/emotes/face-smile.svg "
         "elementary/emotes/16/face-smile.svg breeze/preferences/32/face-smile.svg "
         "oxygen/base/128x128/emotes/face-smile.png"},
        {"sad face",
         "Tango/scalable/emotes/face-sad.svg gnome/256x256/emotes/face-sad.png Numix/64/emotes/face-sad.svg "
         "elementary/emotes/16/face-sad.svg breeze/emotes/22/face-sad.svg oxygen/base/128x128/emotes/face-sad.png"},
        {"devil",
         "Tango/scalable/emotes/face-devilish.svg gnome/256x256/emotes/face-devilish.png "
         "Numix/64/emotes/face-devilish.svg elementary/emotes/16/face-devilish.svg breeze/emotes/22/face-devilish.svg "
         "oxygen/base/22x22/emotes/face-devilish.png"},
        {"angel",
         "Tango/scalable/emotes/face-angel.svg gnome/256x256/emotes/face-angel.png Numix/64/emotes/face-angel.svg "
         "elementary/emotes/16/face-angel.svg breeze/emotes/22/face-angel.svg "
         "oxygen/base/128x128/emotes/face-angel.png"},
        {"surprised face",
         "Tango/scalable/emotes/face-surprise.svg gnome/256x256/emotes/face-surprise.png "
         "Numix/64/emotes/face-surprise.svg elementary/emotes/16/face-surprise.svg breeze/emotes/22/face-surprise.svg "
         "oxygen/base/128x128/emotes/face-surprise.png"},
        {"face with glasses",
         "Tango/scalable/emotes/face-glasses.svg gnome/256x256/emotes/face-glasses.png "
         "Numix/64/emotes/face-glasses.svg elementary/emotes/16/face-cool.svg breeze/emotes/22/face-glasses.svg "
         "oxygen/base/22x22/emotes/face-glasses.png"},
        {"accessibility sign",
         "Tango/scalable/apps/preferences-desktop-accessibility.svg "
         "gnome/256x256/apps/preferences-desktop-accessibility.png "
         "nuoveXT2/128x128/apps/preferences-desktop-accessibility.png "
         "Numix/64/categories/preferences-desktop-accessibility.svg "
         "Faba/48x48/apps/preferences-desktop-accessibility.svg "
         "elementary/categories/128/preferences-desktop-accessibility.svg "
         "breeze/preferences/32/preferences-desktop-accessibility.svg "
         "oxygen/base/128x128/apps/preferences-desktop-accessibility.png"},
        {"paint and brush",
         "gnome/256x256/categories/applications-graphics.png Nuovo/scalable/apps/gnome-graphics.svg "
         "yasis/scalable/apps/gnome-graphics.svg gartoon/scalable/apps/gnome-graphics.svg "
         "Numix/64/categories/applications-graphics.svg elementary/categories/48/applications-graphics.svg "
         "oxygen/base/256x256/categories/applications-graphics.png"},
        {"bold letter",
         "Tango/scalable/actions/format-text-bold.svg gnome/48x48/actions/format-text-bold.png "
         "gartoon/scalable/stock/gtk-bold.svg nuoveXT2/128x128/actions/format-text-bold.png "
         "Numix/32/actions/format-text-bold.svg Faba/24x24/actions/format-text-bold.svg "
         "elementary/actions/24/format-text-bold.svg breeze/actions/22/format-text-bold.svg "
         "oxygen/base/48x48/actions/format-text-bold.png"},
        {"text on the left",
         "Tango/scalable/actions/format-justify-left.svg gnome/48x48/actions/format-justify-left.png "
         "Nuovo/scalable/stock/gtk-justify-left.svg gartoon/scalable/stock/gtk-justify-left.svg "
         "nuoveXT2/128x128/actions/format-justify-left.png Numix/32/actions/format-justify-left.svg "
         "Faba/24x24/actions/format-justify-left.svg elementary/actions/24/format-justify-left.svg "
         "breeze/actions/22/format-justify-left.svg oxygen/base/48x48/actions/format-justify-left.png"},
        {"text in the middle",
         "Tango/scalable/actions/format-justify-center.svg gnome/48x48/actions/format-justify-center.png "
         "Nuovo/scalable/stock/gtk-justify-center.svg gartoon/scalable/stock/gtk-justify-center.svg "
         "nuoveXT2/128x128/actions/format-justify-center.png Numix/32/actions/format-justify-center.svg "
         "Faba/24x24/actions/format-justify-center.svg elementary/actions/24/format-justify-center.svg "
         "breeze/actions/22/format-justify-center.svg oxygen/base/48x48/actions/format-justify-center.png"},
        {"heartbeat monitor",
         "Tango/scalable/apps/utilities-system-monitor.svg gnome/256x256/apps/utilities-system-monitor.png "
         "Nuovo/scalable/apps/gnome-monitor.svg yasis/scalable/apps/gnome-monitor.svg "
         "nuoveXT2/128x128/apps/utilities-system-monitor.png Faba/64x64/apps/utilities-system-monitor.svg "
         "elementary/apps/128/utilities-system-monitor.svg oxygen/base/128x128/apps/utilities-system-monitor.png"}};
    return all;
}

}  // namespace palimpsest

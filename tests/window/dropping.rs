//! Files that are dropped on the window: the side of XDND that a file manager has, and what comes of it.

use super::cloud::{CLEAR, FREE, extent};
use super::display::{DEADLINE, Display, Verdict, Window, holds};
use super::panel::legend;
use super::screen::{Rgb, Screen, apart};
use crate::support::write_blobs;
use std::path::Path;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_FROM_PARENT, CURRENT_TIME, NONE};

/// The version of XDND that is spoken here; nothing has changed since 2002.
const VERSION: u32 = 5;
/// Time between two looks for an answer.
const LISTEN_EVERY: Duration = Duration::from_millis(10);
/// Rows of the files that are dropped: five blobs, of as many colours.
const ROWS: usize = 600;
const BLOBS: usize = 5;
/// Share of what is shown that other data changes at least.
const OTHER_PICTURE: f64 = 0.5;
/// … and that an embedding on its way changes.
const MOVES: f64 = 0.02;
/// Edge of a notice that tells of a failure, and pixels of it, at least.
const ERROR: Rgb = [0xff, 0x7b, 0x72];
const EDGE: usize = 300;

x11rb::atom_manager! {
    /// The words of XDND, and those that it borrows.
    Words:
    WordsCookie {
        XdndAware,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndActionCopy,
        UriList: b"text/uri-list",
        Plain: b"text/plain",
        _NET_WM_NAME,
        UTF8_STRING,
    }
}

/// What the window makes of what is dragged over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Accepted,
    Refused,
}

/// A file manager: a window from which something is dragged onto that of the program.
struct Source {
    connection: RustConnection,
    words: Words,
    window: u32,
    /// The program's window.
    target: u32,
}

impl Source {
    /// Comes to the display and finds the window that says it takes what is dropped.
    fn beside(display: &Display) -> Self {
        let (connection, screen) = RustConnection::connect(Some(&name_of(display))).unwrap();
        let words = Words::new(&connection).unwrap().reply().unwrap();
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id().unwrap();
        let (class, aux) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &aux).unwrap();
        let aware = |window: u32| {
            let property = connection.get_property(false, window, words.XdndAware, AtomEnum::ATOM, 0, 1).unwrap();
            let version = property.reply().ok().and_then(|property| property.value32()?.next());
            version.is_some_and(|version| version >= VERSION)
        };
        // There is no window manager to put windows into windows of its own.
        let windows = connection.query_tree(root).unwrap().reply().unwrap().children;
        let targets: Vec<u32> = windows.into_iter().filter(|&window| aware(window)).collect();
        let [target] = targets[..] else { panic!("{} windows take drops, not one", targets.len()) };
        connection.set_selection_owner(window, words.XdndSelection, CURRENT_TIME).unwrap().check().unwrap();
        Self { connection, words, window, target }
    }

    /// The title of the program's window.
    fn title(&self) -> String {
        let Words { _NET_WM_NAME: name, UTF8_STRING: utf8, .. } = self.words;
        let property = self.connection.get_property(false, self.target, name, utf8, 0, 1024).unwrap();
        String::from_utf8(property.reply().unwrap().value).unwrap()
    }

    fn say(&self, word: Atom, rest: [u32; 4]) {
        let data = [self.window, rest[0], rest[1], rest[2], rest[3]];
        let message = ClientMessageEvent::new(32, self.target, word, data);
        self.connection.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    /// Listens until something is heard that is waited for.
    fn hear<T>(&self, what: &str, mut wanted: impl FnMut(Event) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            match self.connection.poll_for_event().unwrap() {
                Some(event) => {
                    if let Some(heard) = wanted(event) {
                        return heard;
                    }
                }
                None => {
                    assert!(begun.elapsed() < DEADLINE, "after {DEADLINE:?} still not: {what}");
                    std::thread::sleep(LISTEN_EVERY);
                }
            }
        }
    }

    /// An answer of the program, if it is one of this kind: its first bit says yes or no.
    fn answer(&self, event: &Event, word: Atom) -> Option<Answer> {
        let Event::ClientMessage(message) = event else { return None };
        let [from, flags, ..] = message.data.as_data32();
        let ours = message.type_ == word && from == self.target;
        ours.then_some(if flags & 1 == 1 { Answer::Accepted } else { Answer::Refused })
    }

    /// Gives what is dragged to whoever asks for it.
    fn give(&self, request: &SelectionRequestEvent, content: &[u8]) {
        let &SelectionRequestEvent { requestor, selection, target, property, time, .. } = request;
        assert_eq!((requestor, selection), (self.target, self.words.XdndSelection));
        let property = if target == self.words.UriList { property } else { NONE };
        if property != NONE {
            self.connection.change_property8(PropMode::REPLACE, requestor, property, target, content).unwrap();
        }
        let response_type = SELECTION_NOTIFY_EVENT;
        let notice = SelectionNotifyEvent { response_type, sequence: 0, time, requestor, selection, target, property };
        self.connection.send_event(false, requestor, EventMask::NO_EVENT, notice).unwrap();
        self.connection.flush().unwrap();
    }

    /// Drags something over the window, and hears whether it would take it. What it takes it reads while it is above:
    /// winit asks at the first place it hears of, and opens at the drop only what it has by then.
    fn drag(&self, kind: Atom, content: &[u8], (x, y): (usize, usize)) -> Answer {
        self.say(self.words.XdndEnter, [VERSION << 24, kind, NONE, NONE]);
        let place = (x as u32) << 16 | y as u32; // the window lies at the corner of the display
        self.say(self.words.XdndPosition, [0, place, CURRENT_TIME, self.words.XdndActionCopy]);
        let (mut answer, mut given) = (None, false);
        self.hear("an answer to what is above the window", |event| {
            match &event {
                Event::SelectionRequest(request) => {
                    self.give(request, content);
                    given = true;
                }
                other => answer = self.answer(other, self.words.XdndStatus).or(answer),
            }
            answer.filter(|answer| given || *answer == Answer::Refused)
        })
    }

    fn leave(&self) {
        self.say(self.words.XdndLeave, [0; 4]);
    }

    /// Drops files, which the window must take.
    fn drop_files(&self, files: &[&Path], place: (usize, usize)) {
        assert_eq!(self.drag(self.words.UriList, uri_list(files).as_bytes(), place), Answer::Accepted);
        self.say(self.words.XdndDrop, [0, CURRENT_TIME, 0, 0]);
        let end = self.hear("the end of the drop", |event| self.answer(&event, self.words.XdndFinished));
        assert_eq!(end, Answer::Accepted);
    }
}

/// Files as a file manager names them: each byte that is not plain is written as its number.
fn uri_list(files: &[&Path]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let uri = |path: &&Path| format!("file://{}\r\n", path.to_str().unwrap().bytes().map(escaped).collect::<String>());
    files.iter().map(uri).collect()
}

/// The name of a display on which the program runs: as the program was told.
pub fn name_of(display: &Display) -> String {
    let folder = display.folder().canonicalize().unwrap();
    let processes = Path::new("/proc").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let ours = |process: &std::path::PathBuf| process.join("cwd").read_link().is_ok_and(|cwd| cwd == folder);
    let told = std::fs::read(processes.into_iter().find(ours).expect("a window").join("environ")).unwrap();
    let mut variables = told.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    variables.find_map(|variable| variable.strip_prefix("DISPLAY=").map(str::to_owned)).unwrap()
}

/// The demo, so far that there is a cloud and all its colours.
fn demo(display: &Display) -> (Window<'_>, Screen) {
    let mut window = display.open(&[]);
    let seen = window.wait("the demo is there", |screen| {
        holds(extent(screen, CLEAR).is_some() && legend(screen).len() >= BLOBS, "no cloud, or no legend")
    });
    (window, seen)
}

fn is_called(source: &Source, title: &str) -> Verdict {
    let found = source.title();
    holds(found == title, format!("it is called {found:?}, not {title:?}"))
}

/// Other data is shown than before: that of blobs.
fn shows_blobs(screen: &Screen, before: &Screen) -> Verdict {
    let colours = legend(screen).len();
    holds(colours == BLOBS, format!("{colours} colours, not {BLOBS}"))?;
    holds(extent(screen, CLEAR).is_some(), "no cloud")?;
    let changed = screen.changed(before, CLEAR);
    holds(changed > OTHER_PICTURE, format!("{changed:.2} of the picture changed, at least {OTHER_PICTURE}"))
}

/// Pixels of the edge of a notice that tells of a failure.
fn error_edge(screen: &Screen) -> usize {
    screen.count(FREE, |pixel| apart(pixel, ERROR) < 8)
}

#[test]
fn files_that_are_dropped_on_the_window_are_opened() {
    let Some(display) = Display::start() else { return };
    let [first, second] = ["drei Körper.parquet", "noch 100%.parquet"].map(|name| display.folder().join(name));
    write_blobs(&first, ROWS);
    write_blobs(&second, ROWS);
    let (mut window, before) = demo(&display);
    let source = Source::beside(&display);
    assert_eq!(source.title(), "demo · nevis");
    assert!(shows_blobs(&before, &before).is_err(), "the demo is taken for the blobs");

    // Text is no file, and what is taken away again is not opened.
    let text = source.drag(source.words.Plain, b"some words", FREE.middle());
    assert_eq!(text, Answer::Refused);
    source.leave();
    assert_eq!(source.drag(source.words.UriList, uri_list(&[&first]).as_bytes(), FREE.middle()), Answer::Accepted);
    source.leave();
    window.press("i"); // by now it hardly moves by itself
    window.wait("the demo goes on", |screen| holds(screen.changed(&before, CLEAR) > MOVES, "it stands still"));
    assert_eq!(source.title(), "demo · nevis");

    let dropped = Instant::now();
    source.drop_files(&[&first], FREE.middle());
    let one = window.wait("the file is open", |screen| {
        is_called(&source, "drei Körper · nevis")?;
        shows_blobs(screen, &before)
    });
    eprintln!("opened {:.1} s after it was dropped", dropped.elapsed().as_secs_f64());

    // Over a panel as well, and several at once.
    source.drop_files(&[&first, &second], (100, 300));
    window.wait("both files are open", |screen| {
        is_called(&source, "drei Körper and 1 more · nevis")?;
        holds(!screen.is_same(&one, CLEAR) && extent(screen, CLEAR).is_some(), "nothing else is shown")
    });
    window.quit();
}

#[test]
fn a_broken_file_that_is_dropped_is_told_of_and_the_demo_goes_on() {
    let Some(display) = Display::start() else { return };
    let broken = display.folder().join("x.parquet");
    std::fs::write(&broken, "this is a letter, not a table").unwrap();
    let (mut window, before) = demo(&display);
    assert!(error_edge(&before) < EDGE, "the demo is taken for a failure");
    let source = Source::beside(&display);
    source.drop_files(&[&broken], FREE.middle());
    let told = window.wait("an error", |screen| {
        let edge = error_edge(screen);
        holds(edge > EDGE, format!("an edge of {edge} pixels, at least {EDGE}"))
    });
    assert_eq!(source.title(), "demo · nevis");
    assert_eq!(legend(&told), legend(&before), "other colours");
    window.press("i"); // by now it hardly moves by itself
    window.wait("the demo goes on", |screen| {
        let changed = screen.changed(&told, CLEAR);
        holds(changed > MOVES, format!("{changed:.3} of the picture changed, at least {MOVES}"))
    });
    window.quit();
}

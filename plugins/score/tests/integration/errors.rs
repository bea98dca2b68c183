//! Every error names its line and says what would be right.

use score::{Act, Cue, Score, ScoreError};

fn error(text: &str) -> ScoreError {
    match Score::parse(text) {
        Ok(score) => panic!("{text:?} was read as {score}"),
        Err(error) => error,
    }
}

/// What is wrong with the lines below the title; the first of them is line 2.
fn wrong(lines: &str) -> String {
    error(&format!("nevis score 1\n{lines}")).to_string()
}

#[test]
fn what_is_no_score_is_called_that() {
    for (text, expected) in [
        ("", "line 1: this is no score: its first line must be `nevis score 1`, found nothing"),
        ("# a\n\n# b", "line 3: this is no score: its first line must be `nevis score 1`, found nothing"),
        ("\n<html>", "line 2: this is no score: its first line must be `nevis score 1`, found `<html>`"),
        ("{\"a", "line 1: this is no score: its first line must be `nevis score 1`, found `{\"a`"),
        ("nevis score", "line 1: this is no score: its first line must be `nevis score 1`, found `nevis score`"),
        ("nevis score 2\nwhatever", "line 1: a score of version 2, but this program reads version 1"),
        ("nevis score 1.5", "line 1: a score of version 1.5, but this program reads version 1"),
    ] {
        assert_eq!(error(text).to_string(), expected);
    }
    assert!(error(&"x".repeat(100_000)).to_string().len() < 200);
}

#[test]
fn heads() {
    for (lines, expected) in [
        ("fpps 30", "line 2: there is no `fpps` in the head of a score; did you mean `fps`?"),
        ("camera yaw 3", "line 2: there is no `camera` in the head of a score; did you mean the cue `0 camera`?"),
        ("fps 30\n\nfps 30", "line 4: `fps` stands in line 2 already"),
        ("0 stop\nloop", "line 3: `loop` belongs above the first cue; a cue begins with its time, as in `2.5 loop`"),
        ("fps 0", "line 2: fps: expected a whole number from 1 to 120, found `0`"),
        ("fps 24.5", "line 2: fps: expected a whole number from 1 to 120, found `24.5`"),
        ("fps", "line 2: fps: expected a whole number from 1 to 120, found nothing"),
        ("fps 30 40", "line 2: fps: expected nothing more, found `40`"),
        ("seed -1", "line 2: seed: expected a whole number from 0 on, found `-1`"),
        ("data", "line 2: data: expected a path, or demo:, found nothing"),
        ("data \"\"", "line 2: data: expected a path, or demo:, found nothing"),
        ("data \"a\" b", "line 2: data: expected nothing more, found `b`"),
        ("data \"C:\\data\"", "line 2: data: expected \\\", \\\\, \\n, \\r or \\t within quotes, found `\\d`"),
        ("hash 12", "line 2: hash: expected 64 hexadecimal digits in lower case, found `12`"),
        ("length -3", "line 2: length: expected seconds from 0 to 86400, found `-3`"),
        ("length 1e9", "line 2: length: expected seconds from 0 to 86400, found `1000000000`"),
        ("length inf", "line 2: length: expected seconds, as 12 or 2.5, found `inf`"),
        ("start", "line 2: start: expected a session, or a table of coordinates, found nothing"),
        ("start \"\"", "line 2: start: expected a session, or a table of coordinates, found nothing"),
        ("iteration 1.5", "line 2: iteration: expected a whole number from 0 on, found `1.5`"),
        ("iteration 3\niteration 3", "line 3: `iteration` stands in line 2 already"),
        ("auc good", "line 2: auc: expected a number from -1 to 1, found `good`"),
        ("auc nan", "line 2: auc: expected a number from -1 to 1, found `nan`"),
        ("auc 1.5", "line 2: auc: expected a number from -1 to 1, found `1.5`"),
        ("iterations -1", "line 2: iterations: expected a number from 0 to 1000000, found `-1`"),
        ("iterations 1e7", "line 2: iterations: expected a number from 0 to 1000000, found `10000000`"),
        ("iterations inf", "line 2: iterations: expected a number from 0 to 1000000, found `inf`"),
        ("loop 3", "line 2: loop: expected nothing more, found `3`"),
        ("data \"a", "line 2: a quote is not closed"),
        ("length 4\n1 stop\n2..5 camera yaw 3", "line 2: the length is 4, but the last cue (line 4) ends at 5"),
    ] {
        assert_eq!(wrong(lines), expected);
    }
}

#[test]
fn settings() {
    for (lines, expected) in [
        ("settings", r#"line 2: settings: expected JSON as {"dims": 3}, found nothing"#),
        (
            r#"settings {"dims" 3}"#,
            r#"line 2: settings: expected JSON as {"dims": 3}: expected `:` at letter 9 of `{"dims" 3}`"#,
        ),
        ("settings {\"dimms\": 3}", "line 2: there is no setting `dimms`; did you mean `dims`?"),
        ("settings {\"alpha\": 0}", "line 2: alpha is 0, but must be 0.01 to 1000"),
        ("0 set alhpa 3", "line 2: there is no setting `alhpa`; did you mean `alpha`?"),
        ("0 set alpha 5000", "line 2: alpha is 5000, but must be 0.01 to 1000"),
        ("0..3 set momentum 1", "line 2: momentum is 1, but must be 0 or more, below 1"),
        ("0 set dims 2.5", "line 2: set dims: expected a whole number, found `2.5`"),
        ("0 set dims -2", "line 2: set dims: expected a whole number, found `-2`"),
        ("0 set dims 5000", "line 2: dims is 5000, but must be 1 to 4096"),
        ("0 set alpha much", "line 2: set alpha: expected a number, found `much`"),
        ("0 set alpha", "line 2: set alpha: expected a number, found nothing"),
        ("0 set", "line 2: set: expected a setting and its value, as alpha 0.5, found nothing"),
        ("0 set alpha 3 4", "line 2: set alpha: expected nothing more, or ease, found `4`"),
        ("0 set metric cosine ease in", "line 2: set metric: expected nothing more, found `ease in`"),
        ("0..1 set metric cosine", "line 2: `set` happens at once; write one time, not a range"),
    ] {
        assert_eq!(wrong(lines), expected);
    }
    let list = wrong("settings [3]");
    assert!(list.starts_with(r#"line 2: settings: expected JSON as {"dims": 3}: invalid type: sequence"#), "{list}");
    for (lines, part) in [
        ("settings {\"dims\": \"three\"}", "line 2: dims: expected a value it can have, found \"three\" (invalid type"),
        (
            "0 set metric far",
            "line 2: metric: expected a value it can have, found \"far\" (unknown variant `far`, expected one of `euclidean`",
        ),
        ("0 set early_iterations 1e10", "line 2: early_iterations: expected a value it can have, found 10000000000"),
    ] {
        let found = wrong(lines);
        assert!(found.starts_with(part), "{found}");
    }
}

#[test]
fn times() {
    let time = "a time is seconds from 0 to 86400, as 2.5, or a range of them, as 2..5; found";
    for (lines, expected) in [
        ("-1 stop", format!("line 2: {time} `-1`")),
        ("nan stop", format!("line 2: {time} `NaN`")),
        ("0..inf camera yaw 1", format!("line 2: {time} `inf`")),
        ("1e9 stop", format!("line 2: {time} `1000000000`")),
        ("5s stop", format!("line 2: {time} `5s`")),
        ("0..x camera yaw 3", format!("line 2: {time} `0..x`")),
        ("..5 camera yaw 3", format!("line 2: {time} `..5`")),
        ("5..2 camera yaw 3", "line 2: the range ends at 2, before it begins at 5".to_owned()),
        ("0 stop\n\n5..9 camera yaw 3\n4 stop", "line 5: times are out of order: 4 comes after 5".to_owned()),
        ("1 stop\n2 camra", "line 3: there is no cue `camra`; did you mean `camera`?".to_owned()),
        ("1 stop\n0.5 stop\n2 camra", "line 3: times are out of order: 0.5 comes after 1".to_owned()),
    ] {
        assert_eq!(wrong(lines), expected);
    }
}

#[test]
fn cues() {
    for (lines, expected) in [
        ("0 colour-by x", "line 2: there is no cue `colour-by`; did you mean `color-by`?"),
        ("0", "line 2: a cue: expected what happens, as `camera yaw 30`, found nothing"),
        ("0 camera", "line 2: camera: expected yaw, pitch, distance or focus, found nothing"),
        ("0 camera jaw 3", "line 2: camera: expected yaw, pitch, distance, focus or ease, found `jaw`"),
        ("0 camera yaw", "line 2: camera yaw: expected degrees, found nothing"),
        ("0 camera yaw 3 yaw 4", "line 2: camera yaw: expected it once, found `it twice`"),
        ("0 camera pitch 91", "line 2: camera pitch: expected degrees from -90 to 90, found `91`"),
        ("0 camera distance 0", "line 2: camera distance: expected cloud radii, more than 0, found `0`"),
        ("0 camera focus 0 0", "line 2: camera focus: expected three numbers, as 0 0 0, found nothing"),
        ("0..1 camera yaw 3 ease fast", "line 2: ease: expected smooth, none, in or out, found `fast`"),
        ("0 camera yaw 3 ease in", "line 2: `camera` happens at once; `ease` needs a range, as 2..5"),
        ("0 caption Hello", "line 2: caption: expected a text in quotes, found `Hello`"),
        ("0 caption", "line 2: caption: expected a text in quotes, found nothing"),
        ("0 caption \"a\" fro 3", "line 2: caption: expected nothing more, or for and seconds, found `fro`"),
        ("0 caption \"a\" for", "line 2: caption: expected seconds, more than 0, found nothing"),
        ("0 caption \"a\" for 0", "line 2: caption for: expected seconds, more than 0, found `0`"),
        (
            "0..3 caption \"a\"",
            "line 2: `caption` happens at once; write the time it begins, and behind the text `for` and its seconds",
        ),
        ("0..3 explode", "line 2: `explode` happens at once; write one time, not a range"),
        ("0 explode now", "line 2: explode: expected nothing more, found `now`"),
        ("0 settle", "line 2: settle: expected a whole number from 0 on, found nothing"),
        ("0 iterations few", "line 2: iterations: expected a number from 0 to 1000000, found `few`"),
        ("0 iterations -0.5", "line 2: iterations: expected a number from 0 to 1000000, found `-0.5`"),
        ("0 background blue", "line 2: background: expected dark, light, black, found `blue`"),
        ("0 point-size 0", "line 2: point-size: expected pixels, more than 0, found `0`"),
        ("0 point-size big", "line 2: point-size: expected pixels, as 3 or 1.5, found `big`"),
        ("0 select", "line 2: select: expected a search, or \"\" to let go, found nothing"),
        ("0 select-named \"\"", "line 2: select-named: expected the name of a selection, found nothing"),
        ("0 labels", "line 2: labels: expected a column, or \"\" for none, found nothing"),
        ("0 color-by", "line 2: color-by: expected a column, or none, found nothing"),
        ("0 note", "line 2: note: expected a text, found nothing"),
        ("0 note \"a", "line 2: a quote is not closed"),
    ] {
        assert_eq!(wrong(lines), expected);
    }
}

#[test]
fn a_cue_alone_has_no_line() {
    let time = "a time is seconds from 0 to 86400, as 2.5, or a range of them, as 2..5; found";
    for (text, expected) in [
        ("", format!("{time} nothing")),
        (" # 0 stop", format!("{time} nothing")),
        ("stop", format!("{time} `stop`")),
        ("-1 stop", format!("{time} `-1`")),
        ("5..2 camera yaw 3", "the range ends at 2, before it begins at 5".to_owned()),
        ("0 camra", "there is no cue `camra`; did you mean `camera`?".to_owned()),
        ("0 set alpha 5000", "alpha is 5000, but must be 0.01 to 1000".to_owned()),
        ("0 note \"a", "a quote is not closed".to_owned()),
        ("0 note a\n1 stop", "a cue: expected one line, found `1 stop`".to_owned()),
    ] {
        let error = text.parse::<Cue>().unwrap_err();
        assert_eq!((error.to_string(), error.line()), (expected, None));
    }
    assert_eq!("\n2 stop # wait\r\n".parse::<Cue>().unwrap(), Cue::at(2.0, Act::Stop));
}

#[test]
fn lines_are_those_of_the_file() {
    for before in 0..5 {
        let text = format!("nevis score 1\r\n{}0 stopp\r\n", "# comment\r\n".repeat(before));
        assert_eq!(error(&text).line(), Some(2 + before));
    }
}

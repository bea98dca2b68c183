//! What the timeline, keys and clickers ask for.

use super::files::ScoreFiles;
use super::filming::Filming;
use super::playing::{Player, Scene};
use super::recording::{Recording, head};
use crate::viewer::data::OpenData;
use crate::viewer::saving::{Sight, Writing, with_ending};
use crate::viewer::scene::{Layout, bounds_of};
use bevy::ecs::prelude::{MessageReader, ParamSet, Res, ResMut};
use controls::{Conduct, Desk, Doing, Notices};
use inspect::Selection;
use points::PointCloud;
use score::{Act, Station, Take};
use std::path::PathBuf;

/// What is seen, what is steered, and where selections and notices go: one at a time.
type Worlds<'w> = (Sight<'w>, Scene<'w>, (ResMut<'w, Selection>, ResMut<'w, Notices>));

/// Those who do the work.
type Hands<'w> = (ResMut<'w, Player>, ResMut<'w, Recording>, ResMut<'w, Filming>, Res<'w, Writing>);

/// Does what is asked for, in order.
pub fn conduct(
    mut asked: MessageReader<Conduct>,
    mut desk: ResMut<Desk>,
    data: Res<OpenData>,
    cloud: Res<PointCloud>,
    mut worlds: ParamSet<Worlds>,
    (mut player, mut recording, mut filming, writing): Hands,
) {
    desk.steering = false;
    for what in asked.read() {
        match what {
            Conduct::Record if recording.is_under_way() => {
                let (mut selection, mut notices) = worlds.p2();
                recording.end(&mut desk, &data, Some(&mut selection), &writing, &mut notices);
                player.forget();
            }
            Conduct::Record => {
                if desk.is_played() {
                    player.end(&mut desk, &mut worlds.p1());
                }
                if !recording.begin(&mut desk, &data, &worlds.p0()) {
                    worlds.p1().fail("there is nothing to record yet");
                }
            }
            Conduct::Say(act) => recording.say(act.clone()),
            _ if recording.is_under_way() => {} // one thing at a time
            Conduct::Take(take) => {
                let laid = lay_take(*take, &mut desk, &data, &cloud, &worlds.p0());
                match laid {
                    Ok(start) => {
                        recording.start = Some(start);
                        player.forget();
                    }
                    Err(why) => worlds.p1().fail(why),
                }
            }
            Conduct::Save(path) => save(path.clone(), &mut desk, &mut recording, &writing),
            Conduct::Movie(path) => film(path.clone(), &mut desk, &mut recording, &mut filming, &mut worlds.p2().1),
            Conduct::EndMovie => filming.end(),
            played => play(played, &mut desk, &mut player, &mut worlds.p1()),
        }
    }
}

/// What is about playing.
fn play(what: &Conduct, desk: &mut Desk, player: &mut Player, scene: &mut Scene) {
    if !desk.has_score() {
        return scene.fail("there is no score yet: record one (C), open one, or take a ready-made one (menu Record)");
    }
    if !scene.has_data() {
        return; // not yet
    }
    match what {
        Conduct::Play if desk.doing == Doing::Playing => player.end(desk, scene),
        Conduct::Play if desk.doing == Doing::Resting => player.begin(desk, scene, Doing::Playing),
        Conduct::Present if desk.doing == Doing::Presenting => player.end(desk, scene),
        Conduct::Present => {
            desk.time = 0.0;
            player.begin(desk, scene, Doing::Presenting);
        }
        Conduct::Leave if desk.is_played() => player.end(desk, scene),
        Conduct::Leave => desk.open = false,
        Conduct::Seek(time) => {
            player.go_to(desk, scene, *time);
            desk.waiting = desk.doing == Doing::Presenting && !desk.kiosk;
        }
        Conduct::Next if desk.doing == Doing::Presenting => player.next(desk, scene),
        Conduct::Previous if desk.doing == Doing::Presenting => player.previous(desk, scene),
        Conduct::Freeze if desk.is_played() => desk.frozen = !desk.frozen,
        _ => {}
    }
}

/// Lays a ready-made take of what is seen now on the desk; gives the state that it begins with.
fn lay_take(
    take: Take,
    desk: &mut Desk,
    data: &OpenData,
    cloud: &PointCloud,
    sight: &Sight,
) -> Result<crate::viewer::session::Saved, String> {
    let Some((current, _)) = data.seen(sight.live()) else { return Err("there is nothing to take yet".to_owned()) };
    let Some(start) = sight.saved(current) else { return Err("there is nothing to take yet".to_owned()) };
    let stations = if take == Take::FlyThrough { stations(cloud, sight) } else { Vec::new() };
    if take == Take::FlyThrough && stations.is_empty() {
        return Err(
            "a fly-through visits selections that have names: select points and give them names first".to_owned()
        );
    }
    let mut score = score::take(take, score::DEFAULT_FPS, None, &stations);
    // It begins with the map as it is: there is nothing to settle before.
    score.cues.retain(|cue| !(cue.from == 0.0 && matches!(cue.act, Act::Settle(_))));
    let mut settings = head(current, &start);
    settings.settings.extend(std::mem::take(&mut score.settings));
    score.settings = settings.settings;
    (score.data, score.hash, score.seed) = (settings.data, settings.hash, settings.seed);
    (score.iteration, score.auc) = (settings.iteration, settings.auc);
    desk.lay(score, None);
    Ok(start)
}

/// Where the selections with names are.
fn stations(cloud: &PointCloud, sight: &Sight) -> Vec<Station> {
    let Some(snapshot) = sight.live().snapshot() else { return Vec::new() };
    let layout = Layout { positions: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
    let axes = cloud.axes();
    let bounds = bounds_of(layout, &axes);
    let station = |named: &inspect::Named| {
        let points = named.rows.iter().filter_map(|row| snapshot.data.point(row));
        let places: Vec<_> = points.map(|point| axes.place(snapshot.position(point as usize))).collect();
        crate::recording::station(&named.name, &places, &bounds)
    };
    sight.named().iter().filter_map(station).collect()
}

/// Writes the score where it is asked for, where it came from, or under a free name.
fn save(path: Option<PathBuf>, desk: &mut Desk, recording: &mut Recording, writing: &Writing) {
    if !desk.has_score() {
        return;
    }
    let path = path.map(|path| with_ending(path, "score")).or_else(|| desk.path.clone());
    let path = path.unwrap_or_else(|| writing.free_name("take", "score"));
    let files = ScoreFiles::new(&path, &desk.score, desk.path.as_deref(), recording.start.as_ref());
    let score = std::sync::Arc::new(files.score().clone());
    (desk.score, desk.saved, desk.path) = (std::sync::Arc::clone(&score), score, Some(path.clone()));
    writing.spawn(None, move || {
        files.write()?;
        Ok(format!("score saved to {}", path.display()))
    });
}

/// Makes a movie of the score: of its file if that is as it is here, else of a new one beside the movie.
fn film(path: PathBuf, desk: &mut Desk, recording: &mut Recording, filming: &mut Filming, notices: &mut Notices) {
    if filming.is_under_way() {
        return notices.failed("a movie is being made already: end it, or wait for it");
    }
    let path = with_ending(path, "mp4");
    let score = match &desk.path {
        Some(score) if !desk.is_changed() => score.clone(),
        _ => {
            let score = path.with_extension("score");
            let files = ScoreFiles::new(&score, &desk.score, desk.path.as_deref(), recording.start.as_ref());
            if let Err(error) = files.write() {
                return notices.failed(error.to_string());
            }
            score
        }
    };
    match filming.begin(&score, path) {
        Ok(()) => notices.done("the movie is being made; the window can be used, or closed"),
        Err(error) => notices.failed(format!("the movie cannot be made: {error}")),
    }
}

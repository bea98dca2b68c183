//! What is seen, found by the GPU: for positions in a buffer there. Eight bytes come back, some frames later.
//!
//! ```text
//! PickPoint ──extract_picks──► waiting ──pick_points──► passes, copies ──map_picks──► Reply ──answer_picks──► PointPicked
//! ```

use crate::buffers::PointBuffers;
use crate::draw::{PointBindGroups, ViewPasses};
use crate::pipelines::PointPipelines;
use crate::view::{Method, Workgroups};
use bevy::ecs::prelude::{Entity, Message, MessageReader, MessageWriter, Query, Res, ResMut, Resource};
use bevy::math::{UVec2, Vec2};
use bevy::render::Extract;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, BindGroupLayout, BindingResource, Buffer, BufferBinding, BufferDescriptor,
    BufferUsages, ComputePassDescriptor, MapMode, PipelineCache,
};
use bevy::render::renderer::{RenderContext, RenderDevice, RenderQueue};
use bevy::render::sync_world::MainEntity;
use bevy::render::view::ExtractedView;
use bytemuck::{Pod, Zeroable};
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};

/// Asks which point an active camera sees at a pixel, in the frame that is drawn next. [`PointPicked`] answers, some
/// frames later.
#[derive(Debug, Clone, Copy, Message)]
pub struct PickPoint {
    /// Returned with the answer.
    pub id: u64,
    /// The camera.
    pub camera: Entity,
    /// Physical pixels from the top left of its viewport.
    pub pixel: Vec2,
}

/// Answers [`PickPoint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct PointPicked {
    /// As it was asked for.
    pub id: u64,
    /// The point that is seen; none if there is none, or no such camera or pixel.
    pub slot: Option<u32>,
}

/// Questions of a frame: each costs two passes over the points, so many of them shall not stop the picture.
const MOST_PER_FRAME: usize = 64;
/// Frames within which the pipeline must be ready, at a few frames per second.
const PATIENCE: u32 = 600;
/// Bytes of an answer.
const ANSWER_BYTES: u64 = 8;

/// Answers that have arrived, between the worlds.
#[derive(Debug, Clone, Default, Resource)]
pub(crate) struct Replies(Arc<Mutex<Vec<PointPicked>>>);

/// An answer that is owed. Sent when it is dropped, so that every question has one, whatever happens to the device.
#[derive(Debug)]
struct Reply {
    answer: PointPicked,
    replies: Replies,
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.replies.0.lock().unwrap_or_else(PoisonError::into_inner).push(self.answer);
    }
}

/// A question that waits.
#[derive(Debug)]
struct Request {
    camera: Entity,
    pixel: Vec2,
    reply: Reply,
    waited: u32,
}

/// The answers of a frame, on their way back.
#[derive(Debug)]
struct Batch {
    buffer: Buffer,
    replies: Vec<Reply>,
    /// Slots of places in the draw order …
    order: Arc<Vec<u32>>,
    drawn: usize,
    /// … and of those beyond.
    highlighted: Arc<Vec<u32>>,
}

/// Questions and answers in the render world.
#[derive(Default, Resource)]
pub(crate) struct PickRequests {
    waiting: Vec<Request>,
    copied: Vec<Batch>,
    coming: Vec<Arc<Mutex<Batch>>>,
}

/// As in `pick.wgsl`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Pick {
    centre: [f32; 2],
    found: u32,
    again: u32,
    method: u32,
    highlight: u32,
    highlighted: u32,
    row: u32,
}

/// Bytes of what a pass is told.
pub(crate) const PICK_BYTES: NonZeroU64 = NonZeroU64::new(size_of::<Pick>() as u64).unwrap();

/// Forgets what was on its way from a device that is gone; that answers it with nothing.
pub(crate) fn start_picks(mut requests: ResMut<PickRequests>) {
    requests.copied.clear();
    requests.coming.clear();
}

/// Takes over the questions of this frame.
pub(crate) fn extract_picks(
    mut questions: Extract<MessageReader<PickPoint>>,
    mut requests: ResMut<PickRequests>,
    replies: Res<Replies>,
) {
    for &PickPoint { id, camera, pixel } in questions.read() {
        let reply = Reply { answer: PointPicked { id, slot: None }, replies: replies.clone() };
        requests.waiting.push(Request { camera, pixel, reply, waited: 0 });
    }
}

/// A question that can be answered now.
struct Question {
    centre: Vec2,
    view_offset: u32,
    method: Method,
    highlight: Method,
    reply: Reply,
}

/// Those of the first questions that can be answered; others are answered with nothing.
fn questions(waiting: &mut Vec<Request>, views: &Query<(&MainEntity, &ExtractedView, &ViewPasses)>) -> Vec<Question> {
    let first = waiting.drain(..waiting.len().min(MOST_PER_FRAME));
    first
        .filter_map(|Request { camera, pixel, reply, .. }| {
            let (_, view, passes) = views.iter().find(|(entity, ..)| entity.id() == camera)?; // not active
            let size = UVec2::new(view.viewport.z, view.viewport.w).as_vec2();
            let corner = pixel.floor();
            let inside = corner.cmpge(Vec2::ZERO).all() && corner.cmplt(size).all();
            let (view_offset, method, highlight) = (passes.view_offset, passes.method, passes.highlight);
            inside.then_some(Question { centre: corner + 0.5, view_offset, method, highlight, reply })
        })
        .collect()
}

/// What the passes are told: two of them for each question.
fn told(questions: &[Question], buffers: &PointBuffers, groups: Workgroups, stride: usize) -> Vec<u8> {
    let mut told = vec![0; 2 * questions.len() * stride];
    for (index, pick) in told.chunks_exact_mut(stride).enumerate() {
        let question = &questions[index / 2];
        pick[..size_of::<Pick>()].copy_from_slice(bytemuck::bytes_of(&Pick {
            centre: question.centre.to_array(),
            found: index as u32 / 2 * 2,
            again: index as u32 % 2,
            method: question.method.number(),
            highlight: question.highlight.number(),
            highlighted: buffers.highlighted_count,
            row: groups.row(),
        }));
    }
    told
}

/// Asks the GPU, after the cameras: about positions as they were drawn.
#[expect(clippy::too_many_arguments, reason = "a system")]
pub(crate) fn pick_points(
    mut requests: ResMut<PickRequests>,
    mut pipelines: ResMut<PointPipelines>,
    views: Query<(&MainEntity, &ExtractedView, &ViewPasses)>,
    buffers: Res<PointBuffers>,
    groups: Res<PointBindGroups>,
    cache: Res<PipelineCache>,
    queue: Res<RenderQueue>,
    mut context: RenderContext,
) {
    if requests.waiting.is_empty() {
        return; // nothing asked
    }
    let (Some(points), Some(bindings)) = (&groups.points, buffers.bindings()) else {
        requests.waiting.clear(); // no points, so none is seen
        return;
    };
    let Some(pipeline) = cache.get_compute_pipeline(pipelines.queue_pick(&cache)) else {
        requests.waiting.iter_mut().for_each(|request| request.waited += 1);
        requests.waiting.retain(|request| request.waited < PATIENCE);
        return; // still compiling
    };
    let questions = questions(&mut requests.waiting, &views);
    if questions.is_empty() {
        return; // all answered
    }
    let device = context.render_device().clone();
    let threads = Workgroups::of(buffers.drawn + buffers.highlighted_count);
    let stride = PICK_BYTES.get().next_multiple_of(u64::from(device.limits().min_uniform_buffer_offset_alignment));
    let told = told(&questions, &buffers, threads, stride as usize);
    // Written by the queue: what is mapped from its creation would be the end of the program on a lost device.
    let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
    let uniforms = buffer(&device, "points:buffer:picks", told.len() as u64, usage);
    queue.write_buffer(&uniforms, 0, &told);
    let size = questions.len() as u64 * ANSWER_BYTES;
    let found = buffer(&device, "points:buffer:found", size, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let copy = buffer(&device, "points:buffer:picked", size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let layout = cache.get_bind_group_layout(&pipelines.pick_layout);
    let group = bind(&device, &layout, &uniforms, bindings.highlighted, &found);
    let encoder = context.command_encoder();
    let mut pass =
        encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("points:pass:pick"), timestamp_writes: None });
    pass.set_pipeline(pipeline);
    for (index, question) in questions.iter().enumerate() {
        pass.set_bind_group(0, points, &[question.view_offset]);
        for again in 0..2 {
            pass.set_bind_group(1, &group, &[(2 * index + again) as u32 * stride as u32]);
            pass.dispatch_workgroups(threads.columns, threads.rows, 1);
        }
    }
    drop(pass);
    encoder.copy_buffer_to_buffer(&found, 0, &copy, 0, size);
    requests.copied.push(Batch {
        buffer: copy,
        replies: questions.into_iter().map(|question| question.reply).collect(),
        order: buffers.order().clone(),
        drawn: buffers.drawn as usize,
        highlighted: buffers.highlighted_slots.clone(),
    });
}

fn bind(
    device: &RenderDevice,
    layout: &BindGroupLayout,
    uniforms: &Buffer,
    highlighted: &Buffer,
    found: &Buffer,
) -> BindGroup {
    let pick = BindingResource::Buffer(BufferBinding { buffer: uniforms, offset: 0, size: Some(PICK_BYTES) });
    let entries = BindGroupEntries::sequential((pick, highlighted.as_entire_binding(), found.as_entire_binding()));
    device.create_bind_group("points:bindings:pick", layout, &entries)
}

fn buffer(device: &RenderDevice, label: &str, size: u64, usage: BufferUsages) -> Buffer {
    device.create_buffer(&BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

/// Asks for the answers whose copies have been submitted.
pub(crate) fn map_picks(mut requests: ResMut<PickRequests>) {
    let PickRequests { copied, coming, .. } = &mut *requests;
    coming.retain(|batch| !batch.lock().unwrap_or_else(PoisonError::into_inner).replies.is_empty());
    for batch in copied.drain(..) {
        let buffer = batch.buffer.clone();
        let batch = Arc::new(Mutex::new(batch));
        // Held here alone: a device that is lost may never call.
        let called = Arc::downgrade(&batch);
        coming.push(batch);
        buffer.slice(..).map_async(MapMode::Read, move |result| {
            if let Some(batch) = called.upgrade() {
                batch.lock().unwrap_or_else(PoisonError::into_inner).receive(result.is_ok());
            }
        });
    }
}

impl Batch {
    /// Sends the answers, once the buffer is mapped; with nothing if it could not be.
    fn receive(&mut self, mapped: bool) {
        if mapped {
            let bytes = self.buffer.slice(..).get_mapped_range();
            let drawn = &self.order[..self.drawn.min(self.order.len())];
            for (reply, answer) in self.replies.iter_mut().zip(bytes.chunks_exact(ANSWER_BYTES as usize)) {
                let [_, place]: [u32; 2] = bytemuck::pod_read_unaligned(answer);
                reply.answer.slot = slot_of(place, drawn, &self.highlighted);
            }
            drop(bytes);
            self.buffer.unmap();
        }
        self.replies.clear();
    }
}

/// The slot at a place plus one in what is drawn, one list after the other.
fn slot_of(place: u32, drawn: &[u32], highlighted: &[u32]) -> Option<u32> {
    let place = place.checked_sub(1)? as usize;
    drawn.iter().chain(highlighted).nth(place).copied()
}

/// Hands over the answers that have arrived.
pub(crate) fn answer_picks(replies: Res<Replies>, mut picked: MessageWriter<PointPicked>) {
    let arrived = std::mem::take(&mut *replies.0.lock().unwrap_or_else(PoisonError::into_inner));
    picked.write_batch(arrived);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_of_the_drawn_and_then_of_the_highlighted() {
        let (drawn, highlighted) = ([7, 3, 5], [9, 3]);
        let slots = [0, 1, 3, 4, 5, 6].map(|place| slot_of(place, &drawn, &highlighted));
        assert_eq!(slots, [None, Some(7), Some(5), Some(9), Some(3), None]);
    }

    #[test]
    fn every_question_is_answered_once_even_if_it_is_lost() {
        let replies = Replies::default();
        let owe = |id| Reply { answer: PointPicked { id, slot: None }, replies: replies.clone() };
        let (mut found, lost) = (owe(1), owe(2));
        found.answer.slot = Some(4);
        drop((found, lost));
        let answers = replies.0.lock().map(|answers| answers.clone()).unwrap_or_default();
        assert_eq!(answers, [PointPicked { id: 1, slot: Some(4) }, PointPicked { id: 2, slot: None }]);
    }
}

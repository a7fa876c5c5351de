//! Fans: triangles with one apex on a chain of accepted edges, kept as one face.
//!
//! A *fan* stands for the triangles `c w_0 w_1`, `c w_1 w_2`, …, where `w_0 w_1 …` are accepted edges,
//! the *walls*, and no inner `w_i` bulges away from `c`. Its face is triangle `c w_0 w_r`, whose third
//! side, the *base*, is no line. The edges from `c` between are free but have no number. They are in
//! CDT(E), as none can be flipped.
//!
//! A side that is accepted often cuts off a vertex with many edges to one wall, all of which then go to
//! the next vertex, so that points along two axes took `n²/8` flips. One flip of an edge beside a
//! fan gives it another apex, if that is in front of the first wall and of the last: then it is in front
//! of all, as they turn to one side.
//!
//! Of the free edges of a fan only the least matters. Distances from `c` fall to one place along the
//! chain and rise beyond, so that the least is found again by steps from the one before.

use super::{Half, Mesh, NONE};
use crate::greedy::line::Line;
use crate::points::orientation;

/// Behind a base there is no face.
const NOTHING: u32 = u32::MAX - 1;

/// What a base stands for. Walls follow each other by `Half::next`.
#[derive(Clone, Copy)]
pub(super) struct Fan {
    pub(super) first: u32,
    pub(super) last: u32,
    /// The wall that begins where the least free edge ends.
    near: u32,
    /// As `Half::before` of a free edge.
    waiting: u32,
}

impl Mesh<'_> {
    /// The fan of which a half-edge is the base.
    pub(super) fn fan(&self, base: u32) -> Option<Fan> {
        (self.half(base ^ 1).next == NOTHING).then(|| self.fans[self.half(base).before as usize])
    }

    pub(in super::super) fn is_fan(&self, base: u32) -> bool {
        self.half(base ^ 1).next == NOTHING
    }

    fn fan_mut(&mut self, base: u32) -> &mut Fan {
        let place = self.half(base).before as usize;
        &mut self.fans[place]
    }

    /// The fan whose first or last wall this is.
    pub(super) fn fan_at(&self, wall: u32) -> Option<(u32, Fan)> {
        let base = self.owner.get(wall as usize).copied().filter(|it| *it != NONE)?;
        Some((base, self.fan(base)?))
    }

    /// The accepted edge itself where a walk around a vertex comes to a base.
    pub(super) fn wall(&self, h: u32) -> u32 {
        match (self.fan(h), self.fan(h ^ 1)) {
            (Some(fan), _) => fan.first,
            (_, Some(fan)) => fan.last ^ 1,
            _ => h,
        }
    }

    /// The vertex opposite of a half-edge in the triangle on its left.
    pub(super) fn apex(&self, h: u32) -> u32 {
        let next = self.next(h);
        if let Some(fan) = self.fan(next) {
            return self.to(fan.first);
        }
        match self.fan(self.next(next)) {
            Some(fan) => self.half(fan.last).origin,
            None => self.to(next),
        }
    }

    /// The least free edge of a fan: from its apex to a wall.
    pub(in super::super) fn nearest(&self, base: u32) -> Line {
        self.spoke(base, self.fans[self.half(base).before as usize].near)
    }

    fn spoke(&self, base: u32, wall: u32) -> Line {
        let apex = self.to(self.next(base));
        Line::new(&self.sites.places, [apex, self.half(wall).origin])
    }

    /// Makes ears that wait for a free edge of a fan look again, and remembers that the least may be another.
    pub(super) fn touch(&mut self, base: u32) {
        let waiting = std::mem::replace(&mut self.fan_mut(base).waiting, NONE);
        if waiting != NONE {
            self.freed.push(waiting);
        }
        self.changed.push(base / 2);
    }

    /// Remembers that an ear waits for the least free edge of a fan to go.
    pub(in super::super) fn wait_for_fan(&mut self, first: u32, base: u32) {
        self.fan_mut(base).waiting = first;
    }

    /// Steps to the least free edge, which is another where a flip gave the fan another apex.
    pub(super) fn settle(&mut self, base: u32) {
        let Fan { first, mut near, .. } = self.fans[self.half(base).before as usize];
        let mut least = self.spoke(base, near);
        loop {
            let beside = [self.next(near), self.back[near as usize]];
            let better =
                beside.into_iter().filter(|&it| it != NONE && it != first).find_map(|it| {
                    let line = self.spoke(base, it);
                    self.sites.compare(&line, &least).is_lt().then_some((it, line))
                });
            let Some(better) = better else { break };
            (near, least) = better;
        }
        self.fan_mut(base).near = near;
        self.touch(base);
    }

    /// Whether all walls of a fan are beyond a line that cuts off its apex: `a` and `b` are its ends. So
    /// are `w_0` and `w_r`, if they are neither.
    pub(super) fn is_beyond(&self, base: u32, [a, b]: [u32; 2]) -> bool {
        let Some(fan) = self.fan(base) else { return true };
        let [from, to] = [a, b].map(|it| self.sites.places[it as usize]);
        let beyond = |wall: u32| {
            let place = self.sites.places[self.half(wall).origin as usize];
            orientation(from, place, to) > 0.0
        };
        // From an end on, the chain turns away.
        if self.half(fan.first).origin == a {
            return beyond(self.next(fan.first));
        }
        if self.to(fan.last) == b {
            return beyond(fan.last);
        }
        let after = |&it: &u32| Some(self.next(it)).filter(|&it| it != NONE);
        std::iter::successors(after(&fan.first), after).all(beyond)
    }

    /// Whether a vertex is in front of all walls of a fan.
    fn is_in_front(&self, base: u32, vertex: u32) -> bool {
        let Some(fan) = self.fan(base) else { return false };
        [fan.first, fan.last].iter().all(|&wall| {
            let [from, to, at] = [self.half(wall).origin, self.to(wall), vertex]
                .map(|it| self.sites.places[it as usize]);
            orientation(from, to, at) > 0.0
        })
    }

    /// Makes the faces at a free edge such that a flip of it is one of triangles, or gives one fan
    /// another apex. Returns the base of that fan.
    pub(super) fn expose(&mut self, h: u32) -> Option<u32> {
        // Fans around the far end.
        if self.is_fan(self.next(h ^ 1)) {
            self.peel(self.next(h ^ 1), true);
        }
        if self.is_fan(self.next(self.next(h))) {
            self.peel(self.next(self.next(h)), false);
        }
        let left = |mesh: &Self| Some(mesh.next(h)).filter(|&it| mesh.is_fan(it));
        let right = |mesh: &Self| Some(mesh.next(mesh.next(h ^ 1))).filter(|&it| mesh.is_fan(it));
        if let (Some(base), Some(_)) = (left(self), right(self)) {
            self.peel(base, true);
        }
        let (base, is_left) = match (left(self), right(self)) {
            (Some(base), _) => (base, true),
            (_, Some(base)) => (base, false),
            _ => return None,
        };
        let beyond = if is_left { self.apex(h ^ 1) } else { self.apex(h) };
        if self.is_in_front(base, beyond) {
            return Some(base);
        }
        self.peel(base, is_left);
        None
    }

    /// Makes the first or the last triangle of a fan a face.
    pub(super) fn peel(&mut self, base: u32, is_first: bool) {
        self.touch(base);
        let place = self.half(base).before as usize;
        let Fan { first, last, near, .. } = self.fans[place];
        let x = self.next(base); // w_r → c
        let y = self.next(x); // c → w_0
        let apex = self.half(y).origin;
        let wall = if is_first { self.next(first) } else { last };
        let middle = self.half(wall).origin;
        let is_pair = self.next(first) == last;
        let edge = if is_pair { base & !1 } else { self.spare.pop().map_or(NONE, |it| 2 * it) };
        if is_pair {
            self.free_fans.push(place as u32);
        }
        self.halves[edge as usize] = Half::new(apex, NONE);
        self.halves[edge as usize ^ 1] = Half::new(middle, NONE);
        self.changed.push(edge / 2);
        self.own([first, last], NONE);
        let face = |mesh: &mut Self, [a, b, c]: [u32; 3]| {
            mesh.halves[a as usize].next = b;
            mesh.halves[b as usize].next = c;
            mesh.halves[c as usize].next = a;
        };
        if is_pair {
            face(self, [y, first, edge ^ 1]);
            face(self, [edge, last, x]);
            return;
        }
        let fan = &mut self.fans[place];
        if is_first {
            fan.first = wall;
            if near == wall {
                fan.near = self.halves[wall as usize].next;
            }
            self.back[wall as usize] = NONE;
            self.halves[base as usize].origin = middle;
            face(self, [y, first, edge ^ 1]);
            face(self, [edge, base, x]);
        } else {
            let before = self.back[wall as usize];
            fan.last = before;
            if near == wall {
                fan.near = before;
            }
            self.halves[before as usize].next = NONE;
            self.halves[base as usize ^ 1].origin = middle;
            face(self, [edge, last, x]);
            face(self, [y, base, edge ^ 1]);
        }
        let Fan { first, last, .. } = self.fans[place];
        self.own([first, last], base);
        if near == wall {
            self.settle(base);
        }
    }

    /// Says of the outermost walls whose they are.
    fn own(&mut self, walls: [u32; 2], base: u32) {
        walls.iter().for_each(|&it| self.owner[it as usize] = base);
    }

    /// Gives the least free edge of a fan a number, and returns its half from the apex.
    pub(in super::super) fn show_nearest(&mut self, base: u32) -> u32 {
        let Fan { first, last, near, .. } = self.fans[self.half(base).before as usize];
        let (mut up, mut down) = (self.next(first), last);
        let is_first = loop {
            if up == near {
                break true;
            }
            if down == near {
                break false;
            }
            (up, down) = (self.next(up), self.back[down as usize]);
        };
        let vertex = self.half(near).origin;
        loop {
            let x = self.next(base);
            let y = self.next(x);
            self.peel(base, is_first);
            let shown = if is_first { self.next(self.next(y)) ^ 1 } else { self.next(x) };
            if self.to(shown) == vertex {
                return shown;
            }
        }
    }

    /// Puts a free edge into a fan around the vertex from which it runs, if accepted edges are on both
    /// sides of its far end, which does not bulge: where a fan is beside it, or where there `may_begin`
    /// one. Returns its base.
    pub(super) fn absorb(&mut self, h: u32, may_begin: bool) -> Option<u32> {
        if self.is_accepted(h) || !self.is_finite(h) {
            return None;
        }
        let (left, out) = (self.next(h), self.next(h ^ 1));
        let right = self.next(out);
        let fans = [right, left].map(|it| self.fan(it));
        let is_walled = self.is_accepted(left) && self.is_accepted(right);
        // Triangles of fans around the far end have no wall there.
        let is_inside = self.is_fan(out) || self.is_fan(self.next(left));
        if !is_walled || is_inside || !(may_begin || fans.iter().any(Option::is_some)) {
            return None;
        }
        let [before, at, after] = [self.apex(h ^ 1), self.to(h), self.apex(h)]
            .map(|vertex| self.sites.places[vertex as usize]);
        if orientation(before, at, after) > 0.0 {
            return None;
        }
        if self.back.is_empty() {
            self.back = vec![NONE; self.halves.len()];
            self.owner = self.back.clone();
        }
        let back_to_apex = self.next(left);
        let mut parts = [right, left].map(|wall| [wall; 2]);
        let mut nears = vec![];
        for ((part, fan), wall) in parts.iter_mut().zip(fans).zip([right, left]) {
            match fan {
                Some(fan) => {
                    *part = [fan.first, fan.last];
                    nears.push(fan.near);
                    self.touch(wall);
                }
                None => {
                    self.halves[wall as usize].next = NONE;
                    self.back[wall as usize] = NONE;
                }
            }
        }
        let [[first, before], [behind, last]] = parts;
        parts.iter().for_each(|&it| self.own(it, NONE));
        self.halves[before as usize].next = behind;
        self.back[behind as usize] = before;
        self.free_waiting(h);
        // The numbers of what is no edge any more: one becomes the base.
        let place = match fans {
            [Some(_), _] => self.half(right).before,
            [_, Some(_)] => self.half(left).before,
            _ => self.free_fans.pop().unwrap_or(self.fans.len() as u32),
        };
        let base = match fans {
            [Some(_), Some(_)] => {
                self.free_fans.push(self.half(left).before);
                self.retire(left);
                self.retire(h);
                right
            }
            [Some(_), None] => {
                self.retire(h);
                right
            }
            [None, Some(_)] => {
                self.retire(h);
                left
            }
            [None, None] => h,
        };
        let fan = Fan { first, last, near: behind, waiting: NONE };
        match self.fans.get_mut(place as usize) {
            Some(it) => *it = fan,
            None => self.fans.push(fan),
        }
        self.own([first, last], base);
        let [from, to] = [self.half(first).origin, self.to(last)];
        self.halves[base as usize] =
            Half { origin: from, next: back_to_apex, after: base, before: place };
        self.halves[base as usize ^ 1] =
            Half { origin: to, next: NOTHING, after: base, before: NONE };
        self.halves[back_to_apex as usize].next = out;
        self.halves[out as usize].next = base;
        let mut least = self.nearest(base);
        for near in nears {
            let line = self.spoke(base, near);
            if self.sites.compare(&line, &least).is_lt() {
                least = line;
                self.fan_mut(base).near = near;
            }
        }
        self.settle(base);
        Some(base)
    }

    /// An edge that is none any more: its number can be given to another.
    fn retire(&mut self, h: u32) {
        let edge = h & !1;
        for half in [edge, edge ^ 1] {
            let half = &mut self.halves[half as usize];
            (half.next, half.after, half.before) = (NONE, edge, NONE);
        }
        self.spare.push(edge / 2);
    }

    /// Lets fans that changed grow over the edges beside them.
    pub(in super::super) fn grow(&mut self) {
        for place in 0..self.changed.len() {
            let edge = 2 * self.changed[place];
            let Some(mut base) = [edge, edge ^ 1].into_iter().find(|&it| self.is_fan(it)) else {
                continue;
            };
            loop {
                let x = self.next(base);
                let beside = [x ^ 1, self.next(x)];
                let Some(grown) = beside.into_iter().find_map(|it| self.absorb(it, false)) else {
                    break;
                };
                base = grown;
            }
        }
    }
}

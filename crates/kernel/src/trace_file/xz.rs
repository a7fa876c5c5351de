//! What xz packed, unpacked as it is read.

use std::io::{self, BufRead, ErrorKind, Read};

use xz4rust::XzDecoder;

/// Bytes that a stream may look back, at most: those of `xz -9`. More is refused, so that no file makes memory
/// grow.
const MOST_LOOK_BACK: usize = 64 << 20;
const FIRST_LOOK_BACK: usize = 1 << 16;

/// One stream after another, with zeros between them.
pub(super) struct Unpacked<R> {
    from: R,
    decoder: Box<XzDecoder<'static>>,
    is_in_stream: bool,
}

impl<R: BufRead> Unpacked<R> {
    pub(super) fn new(from: R) -> Self {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(FIRST_LOOK_BACK, MOST_LOOK_BACK);
        Self { from, decoder, is_in_stream: false }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let wrong = |why: String| io::Error::new(ErrorKind::InvalidData, format!("as xz: {why}"));
        while !room.is_empty() {
            let packed = self.from.fill_buf()?;
            match packed.first() {
                None if self.is_in_stream => return Err(wrong("it ends too early".to_owned())),
                None => break,
                Some(0) if !self.is_in_stream => {
                    self.from.consume(1);
                    continue;
                }
                Some(_) => {}
            }
            let step = self.decoder.decode(packed, room).map_err(|it| wrong(it.to_string()))?;
            if !step.made_progress() {
                return Err(wrong("it does not go on".to_owned()));
            }
            self.from.consume(step.input_consumed());
            self.is_in_stream = !step.is_end_of_stream();
            if step.is_end_of_stream() {
                self.decoder.reset();
            }
            if step.output_produced() > 0 {
                return Ok(step.output_produced());
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};
    use std::process::{Command, Stdio};

    use super::*;

    fn packed(text: &[u8], flags: &[&str]) -> Vec<u8> {
        let mut command = Command::new("xz");
        command.args(["-c"]).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut to = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || to.write_all(text).unwrap());
            child.wait_with_output().unwrap().stdout
        })
    }

    fn unpacked(bytes: &[u8], piece: usize) -> io::Result<Vec<u8>> {
        let mut all = vec![];
        Unpacked::new(BufReader::with_capacity(piece, bytes)).read_to_end(&mut all)?;
        Ok(all)
    }

    /// Against the tool `xz`: checks, filters, several streams, any piece at a time.
    #[test]
    #[ignore = "needs xz"]
    fn what_xz_packs_is_read() {
        let text: Vec<u8> =
            (0..200_000_u32).flat_map(|it| format!("{:x} R\n", it * 64).into_bytes()).collect();
        let all = [
            packed(&text, &["-0"]),
            packed(&text, &["-9", "--check=crc32"]),
            packed(&text, &["--check=none", "--block-size=100000"]),
            packed(&text, &["--delta=dist=4", "--lzma2=preset=1"]),
            packed(b"", &[]),
        ];
        for bytes in &all[..4] {
            for piece in [1 << 16, 7, 1] {
                assert!(unpacked(bytes, piece).unwrap() == text, "{piece}");
            }
        }
        assert_eq!(unpacked(&all[4], 8).unwrap(), b"");
        let two = [&all[0][..], &[0; 8], &all[1], &[0; 4]].concat();
        assert!(unpacked(&two, 100).unwrap() == text.repeat(2));
        // Cut, changed, or of more memory than is allowed: an error, and no hang.
        for at in (0..all[0].len()).step_by(997) {
            assert!(at == 0 || unpacked(&all[0][..at], 64).is_err(), "{at}");
            let mut changed = all[0].clone();
            changed[at] ^= 0x10;
            assert!(unpacked(&changed, 64).is_err(), "{at}");
        }
        let large = packed(&text, &["--lzma2=preset=6,dict=128MiB"]);
        assert!(unpacked(&large, 64).is_err());
    }

    /// Noughts that are packed a thousandfold take no more room than the stream may look back.
    #[test]
    #[ignore = "needs xz"]
    fn a_bomb_takes_no_room() {
        let bomb = packed(&vec![0; 64 << 20], &["-9"]);
        assert!(bomb.len() < 20_000);
        let mut from = Unpacked::new(BufReader::new(&bomb[..]));
        let (mut room, mut count) = ([0; 4096], 0);
        loop {
            match from.read(&mut room).unwrap() {
                0 => break,
                read => count += read,
            }
        }
        assert_eq!(count, 64 << 20);
    }
}

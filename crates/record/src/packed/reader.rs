//! Reads packed games from files of any size, and recovers after damage.

use super::{BOARD_BYTES, PackedError, PackedGame};
use std::io::{self, ErrorKind, Read};

/// Bytes that were skipped because they are not a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Position in the file.
    pub offset: u64,
    pub bytes: u64,
    /// The error at the first byte.
    pub fault: PackedError,
}

/// Reads packed games. Every move is verified to be legal.
///
/// The format has no markers between games. After damage the reader tries every byte until a complete legal game begins
/// there; random bytes practically never look like one. So only the damaged game is lost, even if bytes are missing or
/// were inserted.
#[derive(Debug)]
pub struct GameReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// The first unused byte of the buffer.
    start: usize,
    /// Position of that byte in the file.
    offset: u64,
    ended: bool,
    damage: Vec<Damage>,
}

/// Bytes per read.
const CHUNK: usize = 1 << 18;

impl<R: Read> GameReader<R> {
    /// The reader has its own buffer.
    pub fn new(source: R) -> Self {
        GameReader { source, buffer: Vec::new(), start: 0, offset: 0, ended: false, damage: Vec::new() }
    }

    /// The next complete game, or `None` at the end.
    ///
    /// # Errors
    /// The source cannot be read. Bytes that are not a game are not an error; see [`damage`](Self::damage).
    pub fn next_game(&mut self) -> io::Result<Option<PackedGame>> {
        let mut lost: Option<Damage> = None;
        let found = loop {
            if !self.has(1)? {
                break None;
            }
            match self.game_here()? {
                Ok(game) => break Some(game),
                Err(fault) => {
                    let offset = self.offset;
                    lost.get_or_insert(Damage { offset, bytes: 0, fault }).bytes += 1;
                    self.consume(1);
                }
            }
        };
        self.damage.extend(lost);
        Ok(found)
    }

    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Bytes consumed so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the game at the next byte. Its bytes are consumed only if it is complete.
    fn game_here(&mut self) -> io::Result<Result<PackedGame, PackedError>> {
        // Enough for almost every game.
        let mut wanted = CHUNK.min(256 * BOARD_BYTES);
        loop {
            let all = !self.has(wanted)?;
            match PackedGame::unpack(&self.buffer[self.start..]) {
                Ok((game, length)) => {
                    self.consume(length);
                    return Ok(Ok(game));
                }
                Err(PackedError::Truncated) if !all => {
                    wanted = 2 * (self.buffer.len() - self.start);
                }
                Err(fault) => return Ok(Err(fault)),
            }
        }
    }

    /// Makes this many bytes available; false at the end of the file.
    fn has(&mut self, wanted: usize) -> io::Result<bool> {
        while self.buffer.len() - self.start < wanted && !self.ended {
            self.buffer.drain(..self.start);
            self.start = 0;
            let old = self.buffer.len();
            self.buffer.resize(old + CHUNK.max(wanted - old), 0);
            let count = match self.source.read(&mut self.buffer[old..]) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {
                    self.buffer.truncate(old);
                    continue;
                }
                Err(error) => {
                    self.buffer.truncate(old);
                    return Err(error);
                }
            };
            self.buffer.truncate(old + count);
            self.ended = count == 0;
        }
        Ok(self.buffer.len() - self.start >= wanted)
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
        self.offset += count as u64;
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = io::Result<PackedGame>;

    fn next(&mut self) -> Option<io::Result<PackedGame>> {
        self.next_game().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::PackedResult;
    use chess::Position;

    /// Games of random legal moves.
    fn games(count: usize) -> Vec<PackedGame> {
        let mut state = 1_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % limit
        };
        (0..count)
            .map(|index| {
                let start = Position::double_chess960(below(960) as u16, below(960) as u16).unwrap();
                let mut position = start;
                let mut moves = Vec::new();
                for _ in 0..20 + 10 * below(20) {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let mv = legal[below(legal.len())];
                    moves.push((mv, below(2000) as i16 - 1000));
                    position.play(mv);
                }
                PackedGame { start, result: PackedResult::ALL[index % 3], moves }
            })
            .collect()
    }

    fn bytes_of(games: &[PackedGame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for game in games {
            game.pack_into(&mut bytes);
        }
        bytes
    }

    fn read(bytes: &[u8]) -> (Vec<PackedGame>, Vec<Damage>) {
        let mut reader = GameReader::new(bytes);
        let games = reader.by_ref().collect::<io::Result<_>>().unwrap();
        (games, reader.damage)
    }

    #[test]
    fn write_then_read() {
        let games = games(40);
        assert_eq!(read(&bytes_of(&games)), (games, vec![]));
    }

    /// One byte per read, as from a slow pipe.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn slow_source() {
        let games = games(3);
        let bytes = bytes_of(&games);
        let read: io::Result<Vec<_>> = GameReader::new(Drip(&bytes)).collect();
        assert_eq!(read.unwrap(), games);
    }

    #[test]
    fn game_longer_than_the_buffer() {
        let start = Position::startpos();
        let mut position = start;
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves = (0..2 * CHUNK / 4).map(|ply| {
            let mv = position.parse_uci(shuffle[ply % 4]).unwrap();
            position.play(mv);
            (mv, 0)
        });
        let long = PackedGame { start, result: PackedResult::Draw, moves: moves.collect() };
        let mut all = games(2);
        all.insert(1, long);
        assert_eq!(read(&bytes_of(&all)), (all, vec![]));
    }

    type Spoiler = dyn Fn(&mut Vec<u8>);

    /// Corrupts the second of three games; returns whether the others survive, and the damage.
    fn after(spoil: &Spoiler) -> (bool, Vec<Damage>) {
        let games = games(3);
        let mut middle = bytes_of(&games[1..2]);
        spoil(&mut middle);
        let bytes = [bytes_of(&games[..1]), middle, bytes_of(&games[2..])].concat();
        let (rest, damage) = read(&bytes);
        (rest.first() == games.first() && rest.last() == games.last() && rest.len() <= 3, damage)
    }

    #[test]
    fn only_the_damaged_game_is_lost() {
        let illegal_move = |bytes: &mut Vec<u8>| bytes[60..62].copy_from_slice(&[0xff, 0x0f]);
        let no_king = |bytes: &mut Vec<u8>| bytes[8..24].fill(0);
        let bytes_missing = |bytes: &mut Vec<u8>| drop(bytes.drain(41..44));
        let bytes_added = |bytes: &mut Vec<u8>| drop(bytes.splice(50..50, [7; 5]));
        let zeros = |bytes: &mut Vec<u8>| bytes.fill(0);
        let no_end = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 4);
        let spoilers: [&Spoiler; 6] =
            [&illegal_move, &no_king, &bytes_missing, &bytes_added, &zeros, &no_end];
        for (index, spoil) in spoilers.into_iter().enumerate() {
            let (others_survive, damage) = after(spoil);
            assert!(others_survive, "spoiler {index}");
            assert_eq!(damage.len(), 1, "spoiler {index}: {damage:?}");
        }
    }

    #[test]
    fn damage_has_offset_and_length() {
        let games = games(2);
        let mut bytes = bytes_of(&games);
        bytes[32] ^= 0x3f;
        bytes[33] ^= 0x3f;
        let (rest, damage) = read(&bytes);
        assert_eq!(rest, games[1..]);
        let [Damage { offset: 0, bytes, fault: PackedError::Move { ply: 0, .. } }] = damage[..] else {
            panic!("{damage:?}");
        };
        assert_eq!(bytes, games[0].packed_len() as u64);
    }

    #[test]
    fn truncated_file_loses_its_last_game() {
        let games = games(4);
        let bytes = bytes_of(&games);
        let last = games[3].packed_len();
        for cut in [1, 4, 5, last - 33, last - 5, last - 1] {
            let (rest, damage) = read(&bytes[..bytes.len() - cut]);
            assert_eq!(rest, games[..3], "{cut} bytes cut");
            assert_eq!(damage.len(), 1);
            assert_eq!(damage[0].fault, PackedError::Truncated);
        }
    }

    #[test]
    fn other_file_has_no_games() {
        let text = "[Event \"a game in PGN\"]\n1. e4 e5 2. Nf3 *\n".repeat(100);
        let (games, damage) = read(text.as_bytes());
        assert_eq!((games.len(), damage.len()), (0, 1));
        assert_eq!(damage[0].bytes, text.len() as u64);
    }
}

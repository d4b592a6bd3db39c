//! Games in progress on a device: launched for a while, polled, launched again.
#![allow(unsafe_code)]

use std::time::Duration;

use cudarc::driver::CudaSlice;
use datagen::selfplay::{OpeningPlan, SelfPlayPlan};
use nnue::shape::Shape;
use record::adjudication::AdjudicationRules;
use record::packed::{Filter, PackedGame};

use crate::abi::{
    Control, GameHeader, MAX_PLIES, NodeLimits, OpeningSettings, PlayLaunch, PlaySettings, RECORD_BYTES,
    Rules,
};
use crate::backend::{Backend, Buffer, bytes_of, list_of, upload};
use crate::error::GpuError;
use crate::player::DevicePlayer;

/// Which games are played, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSettings {
    pub seed: u64,
    /// Number of the first game.
    pub first_game: u64,
    /// Difference of successive game numbers.
    pub game_step: u64,
    pub games: u64,
    /// Two players, in pairs of games from one opening.
    pub is_match: bool,
    /// By player.
    pub limits: [NodeLimits; 2],
    pub opening: OpeningPlan,
    pub rules: AdjudicationRules,
    /// Which positions are recorded.
    pub filter: Filter,
    /// Of searches in positions that are not; those of the player if there are none.
    pub unrecorded: Option<NodeLimits>,
    /// The records of one in this many games go to the validation set; 0 for none.
    pub validation_every: u32,
}

impl GameSettings {
    /// Self-play by a plan, starting with its shard's game of this index.
    pub fn of_plan(plan: &SelfPlayPlan, first_index: u64, games: u64) -> GameSettings {
        let limits = NodeLimits { soft: nodes_u32(plan.soft_nodes), hard: nodes_u32(plan.hard_nodes) };
        GameSettings {
            seed: plan.seed,
            first_game: plan.shard.game_number(first_index),
            game_step: plan.shard.of,
            games,
            is_match: false,
            limits: [limits; 2],
            opening: plan.opening.clone(),
            rules: plan.rules.clone(),
            filter: Filter::default(),
            unrecorded: None,
            validation_every: 0,
        }
    }

    pub(crate) fn play_settings(&self) -> PlaySettings {
        let opening = &self.opening;
        let (draw, resign) = (self.rules.draw, self.rules.resign);
        PlaySettings {
            seed: self.seed,
            first_game: self.first_game,
            game_step: self.game_step,
            game_count: self.games,
            is_match: self.is_match.into(),
            validation_every: self.validation_every,
            limits: self.limits,
            opening: OpeningSettings {
                shuffled: OpeningSettings::fraction(opening.dfrc_share),
                min_plies: opening.random_plies.0,
                max_plies: opening.random_plies.1.max(opening.random_plies.0),
                limits: NodeLimits {
                    soft: nodes_u32(opening.nodes),
                    hard: nodes_u32(opening.nodes.saturating_mul(4)),
                },
                max_score: opening.max_score,
                unused: 0,
            },
            rules: Rules {
                draw_move_number: draw.map_or(0, |rule| rule.move_number),
                draw_move_count: draw.map_or(0, |rule| rule.move_count),
                draw_score: draw.map_or(0, |rule| rule.score),
                resign_move_count: resign.map_or(0, |rule| rule.move_count),
                resign_score: resign.map_or(0, |rule| rule.score),
                resign_two_sided: resign.is_some_and(|rule| rule.two_sided).into(),
                max_moves: self.rules.max_moves.unwrap_or(0),
                unused: 0,
            },
            filter: crate::abi::Filter {
                min_ply: self.filter.min_ply,
                min_pieces: self.filter.min_pieces,
                max_score: self.filter.max_score.into(),
                checks: self.filter.checks.into(),
                noisy: self.filter.noisy.into(),
                unused: 0,
            },
            unrecorded: self.unrecorded.unwrap_or_default(),
            ..PlaySettings::default()
        }
    }
}

/// Rejects plans that a device cannot follow.
///
/// # Errors
/// With the limit that the plan exceeds.
pub fn check_plan(plan: &SelfPlayPlan) -> Result<(), GpuError> {
    let max_moves = MAX_PLIES / 2;
    if !plan.rules.max_moves.is_some_and(|moves| (1..=max_moves).contains(&moves)) {
        return Err(GpuError::Input(format!(
            "invalid maximum of moves: expected 1..={max_moves} on a device"
        )));
    }
    let nodes = plan.soft_nodes.max(plan.hard_nodes).max(plan.opening.nodes);
    if nodes > MAX_NODES {
        let text = format!("invalid node limit {nodes}: at most {MAX_NODES} on a device");
        return Err(GpuError::Input(text));
    }
    Ok(())
}

/// The device counts nodes in 31 bits.
pub const MAX_NODES: u64 = i32::MAX as u64;

fn nodes_u32(nodes: u64) -> u32 {
    nodes.clamp(1, MAX_NODES) as u32
}

/// What to keep of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// Bytes of the buffer for finished games between two polls; 0 for none.
    pub game_bytes: usize,
    /// Capacity for records of the training and of the validation set; 0 for none.
    pub records: [usize; 2],
    /// Whether to keep the result of each game.
    pub results: bool,
}

/// The result of an unfinished game.
pub const NO_RESULT: u8 = 255;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceGame {
    pub header: GameHeader,
    pub game: PackedGame,
}

/// Training records where the device left them, [`RECORD_BYTES`] each.
pub enum RecordBuffer {
    Host(Vec<u8>),
    Gpu(CudaSlice<u8>),
}

/// The records of games, for training and for validation.
pub struct Records {
    pub buffers: [RecordBuffer; 2],
    pub counts: [usize; 2],
}

/// Games in progress.
#[allow(clippy::struct_field_names, reason = "the buffer of the games is called so on the device, too")]
pub struct Games<'a> {
    backend: &'a mut dyn Backend,
    shape: Shape,
    control: &'a mut Buffer,
    launch: PlayLaunch,
    finished: Option<Buffer>,
    records: [Option<Buffer>; 2],
    results: Option<Buffer>,
    last: Control,
    /// Networks and parameters that the launch points to.
    _players: [Option<DevicePlayer>; 2],
}

impl<'a> Games<'a> {
    pub(crate) fn new(
        backend: &'a mut dyn Backend,
        shape: Shape,
        control: &'a mut Buffer,
        mut launch: PlayLaunch,
        outputs: &Outputs,
        players: [Option<DevicePlayer>; 2],
    ) -> Result<Games<'a>, GpuError> {
        let allocate = |bytes: usize| match bytes {
            0 => Ok(None),
            bytes => backend.zeros(bytes).map(Some),
        };
        let finished = allocate(outputs.game_bytes)?;
        let [training, validation] = outputs.records.map(|count| allocate(count * RECORD_BYTES));
        let records = [training?, validation?];
        let results = if outputs.results {
            Some(upload(backend, &vec![NO_RESULT; launch.settings.game_count as usize])?)
        } else {
            None
        };
        let address = |buffer: &Option<Buffer>| buffer.as_ref().map_or(0, Buffer::address);
        launch.games = address(&finished);
        launch.games_capacity = outputs.game_bytes as u64;
        launch.records = [0, 1].map(|which| address(&records[which]));
        launch.records_capacity = outputs.records.map(|count| count as u64);
        launch.results = address(&results);
        let last = Control::default();
        Ok(Games { backend, shape, control, launch, finished, records, results, last, _players: players })
    }

    /// Plays for a while, and waits for the end of it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn advance(&mut self, duration: Duration) -> Result<&Control, GpuError> {
        self.launch(duration)?;
        self.poll()
    }

    /// Plays for a while; a GPU does so in the background.
    ///
    /// # Errors
    /// If the device fails.
    pub fn launch(&mut self, duration: Duration) -> Result<(), GpuError> {
        self.launch.settings.duration_ns = duration.as_nanos() as u64;
        self.last.running = 0;
        self.last.waiting = 0;
        self.backend.write(self.control, 0, bytes_of(std::slice::from_ref(&self.last)))?;
        // SAFETY: the launch points to buffers of the context and of this struct, as long as it says. They live until the
        // kernel has ended: the host's play returns after it, and a GPU frees buffers in the order of its stream.
        unsafe { self.backend.play(self.shape, &self.launch) }
    }

    /// Waits for the launch and reads the counters.
    ///
    /// # Errors
    /// If the device fails.
    pub fn poll(&mut self) -> Result<&Control, GpuError> {
        let bytes = self.backend.read(self.control, 0..size_of::<Control>())?;
        self.last = *list_of::<Control>(&bytes)
            .first()
            .ok_or_else(|| GpuError::Layout("the device returned no counters".to_owned()))?;
        Ok(&self.last)
    }

    /// As of the last poll.
    pub fn control(&self) -> &Control {
        &self.last
    }

    /// Starts no further game.
    pub fn stop_starting(&mut self) {
        self.launch.settings.finish = 1;
    }

    /// Whether all games are finished and written.
    pub fn is_over(&self) -> bool {
        let started_all =
            self.launch.settings.finish != 0 || self.last.next_game >= self.launch.settings.game_count;
        started_all && self.last.running == 0 && self.last.waiting == 0
    }

    /// Takes the games finished since the last call, for [`read_games`].
    ///
    /// # Errors
    /// If the device fails.
    pub fn take_games(&mut self) -> Result<Vec<u8>, GpuError> {
        let Some(buffer) = &self.finished else { return Ok(Vec::new()) };
        let bytes = self.backend.read(buffer, 0..self.last.games_cursor as usize)?;
        self.last.games_cursor = 0;
        Ok(bytes)
    }

    /// Results by game index: half points of the first player, or [`NO_RESULT`].
    ///
    /// # Errors
    /// If the device fails.
    pub fn results(&self) -> Result<Vec<u8>, GpuError> {
        let Some(buffer) = &self.results else { return Ok(Vec::new()) };
        let started = self.last.next_game.min(self.launch.settings.game_count) as usize;
        self.backend.read(buffer, 0..started)
    }

    /// The records, in buffers of their size.
    ///
    /// # Errors
    /// If the device fails.
    pub fn into_records(self) -> Result<Records, GpuError> {
        let counts = self.last.records_cursor.map(|count| count as usize);
        let backend = self.backend;
        let take = |buffer: Option<Buffer>, count: usize| {
            let bytes = count * RECORD_BYTES;
            let buffer = match buffer {
                None => backend.zeros(0)?,
                Some(buffer) if buffer.len() == bytes => buffer,
                Some(buffer) => backend.shrink(buffer, bytes)?,
            };
            match buffer {
                Buffer::Gpu(slice, _) => Ok(RecordBuffer::Gpu(slice)),
                host @ Buffer::Host(_) => backend.read(&host, 0..bytes).map(RecordBuffer::Host),
            }
        };
        let [training, validation] = self.records;
        Ok(Records { buffers: [take(training, counts[0])?, take(validation, counts[1])?], counts })
    }
}

/// Decodes the bytes of [`Games::take_games`].
///
/// # Errors
/// If one of them is not a legal game.
pub fn read_games(mut bytes: &[u8]) -> Result<Vec<DeviceGame>, GpuError> {
    let mut games = Vec::new();
    while let Some((header, rest)) = bytes.split_at_checked(size_of::<GameHeader>()) {
        let Some(&header) = list_of::<GameHeader>(header).first() else { break };
        let error = |reason: String| GpuError::Game { number: header.number, reason };
        let length = header.bytes as usize;
        let packed = rest.get(..length).ok_or_else(|| error("truncated".to_owned()))?;
        let (game, read) = PackedGame::unpack(packed).map_err(|cause| error(cause.to_string()))?;
        if read != length || game.moves.len() != header.plies as usize || game.result as u8 != header.result {
            return Err(error("header does not match its payload".to_owned()));
        }
        games.push(DeviceGame { header, game });
        bytes = rest.get(length.next_multiple_of(8)..).unwrap_or_default();
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use datagen::selfplay::Shard;
    use record::packed::PackedResult;

    fn written(number: u64, game: &PackedGame) -> Vec<u8> {
        let mut packed = Vec::new();
        game.pack_into(&mut packed);
        let header = GameHeader {
            number,
            bytes: packed.len() as u32,
            plies: game.moves.len() as u32,
            result: game.result as u8,
            ..GameHeader::default()
        };
        packed.resize(packed.len().next_multiple_of(8), 0);
        [bytes_of(&[header]), &packed].concat()
    }

    #[test]
    fn plans_beyond_the_device_are_rejected() {
        let plan = |moves: u32, nodes: u64| {
            let opening = OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 500, max_score: 400 };
            SelfPlayPlan {
                player: String::new(),
                seed: 1,
                shard: Shard::WHOLE,
                soft_nodes: 100,
                hard_nodes: nodes,
                hash_mb: 0,
                opening,
                rules: AdjudicationRules { max_moves: Some(moves), ..SelfPlayPlan::RULES },
            }
        };
        assert_eq!(check_plan(&plan(256, 5000)), Ok(()));
        for (moves, nodes, word) in [(257, 5000, "256"), (0, 5000, "256"), (9, 1 << 31, "2147483647")] {
            let error = check_plan(&plan(moves, nodes)).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn games_are_read_and_checked() {
        let start = Position::startpos();
        let first = start.parse_uci("e2e4").unwrap();
        let one = PackedGame { start, result: PackedResult::Draw, moves: vec![(first, 5)] };
        let none = PackedGame { moves: Vec::new(), ..one.clone() };
        let bytes = [written(4, &one), written(9, &none), written(2, &one)].concat();
        let games = read_games(&bytes).unwrap();
        assert_eq!(games.iter().map(|game| game.header.number).collect::<Vec<_>>(), [4, 9, 2]);
        assert_eq!((&games[0].game, &games[1].game), (&one, &none));
        assert!(read_games(&bytes[..bytes.len() - 8]).is_err());
        let mut illegal = bytes;
        illegal[size_of::<GameHeader>() + 32] ^= 0x3f;
        assert!(matches!(read_games(&illegal), Err(GpuError::Game { number: 4, .. })));
    }
}

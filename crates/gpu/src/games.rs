//! Games under way on a machine: launched for a while, asked what is finished, launched again.

use std::time::Duration;

use datagen::selfplay::{OpeningPlan, Plan};
use nnue::shape::Shape;
use record::adjudication::AdjudicationRules;
use record::packed::{Filter, PackedGame};

use crate::abi::{Control, GameHeader, Launch, Limits, MOST_PLIES, Opening, RECORD_BYTES, Rules};
use crate::error::GpuError;
use crate::machine::{Buffer, Machine, bytes_of, list_of, upload};
use crate::player::Seat;

/// How games are played, and which.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of the first game.
    pub first_game: u64,
    /// From one game's number to the next one's.
    pub game_step: u64,
    /// Games to play.
    pub games: u64,
    /// Whether two players meet, in pairs of games from one opening.
    pub is_match: bool,
    /// Nodes for either side.
    pub limits: [Limits; 2],
    /// How games begin.
    pub opening: OpeningPlan,
    /// When they end.
    pub rules: AdjudicationRules,
    /// Which positions are recorded.
    pub filter: Filter,
    /// One in so many games is recorded apart; 0 for none.
    pub validation_every: u32,
}

impl Terms {
    /// Self-play to a plan, from its shard's game with this index on.
    pub fn of_plan(plan: &Plan, first_index: u64, games: u64) -> Terms {
        let limits = Limits { soft: small(plan.soft_nodes), hard: small(plan.hard_nodes) };
        Terms {
            seed: plan.seed,
            first_game: plan.shard.game_number(first_index),
            game_step: plan.shard.of,
            games,
            is_match: false,
            limits: [limits; 2],
            opening: plan.opening.clone(),
            rules: plan.rules.clone(),
            filter: Filter::default(),
            validation_every: 0,
        }
    }

    /// What the device is told of it.
    pub(crate) fn launch(&self) -> Launch {
        let opening = &self.opening;
        let (draw, resign) = (self.rules.draw, self.rules.resign);
        Launch {
            seed: self.seed,
            first_game: self.first_game,
            game_step: self.game_step,
            game_count: self.games,
            is_match: self.is_match.into(),
            validation_every: self.validation_every,
            limits: self.limits,
            opening: Opening {
                shuffled: Opening::share(opening.dfrc_share),
                fewest_plies: opening.random_plies.0,
                most_plies: opening.random_plies.1.max(opening.random_plies.0),
                limits: Limits { soft: small(opening.nodes), hard: small(opening.nodes.saturating_mul(4)) },
                most_score: opening.max_score,
                unused: 0,
            },
            rules: Rules {
                draw_move_number: draw.map_or(0, |rule| rule.move_number),
                draw_move_count: draw.map_or(0, |rule| rule.move_count),
                draw_score: draw.map_or(0, |rule| rule.score),
                resign_move_count: resign.map_or(0, |rule| rule.move_count),
                resign_score: resign.map_or(0, |rule| rule.score),
                resign_two_sided: resign.is_some_and(|rule| rule.two_sided).into(),
                most_moves: self.rules.max_moves.unwrap_or(0),
                unused: 0,
            },
            filter: crate::abi::Filter {
                least_ply: self.filter.min_ply,
                least_men: self.filter.min_men,
                most_score: self.filter.max_score.into(),
                checks: self.filter.checks.into(),
                noisy: self.filter.noisy.into(),
                unused: 0,
            },
            ..Launch::default()
        }
    }
}

/// Refuses what a plan asks for and a device cannot do, rather than doing less than the plan says.
///
/// # Errors
/// Names it.
pub fn check_plan(plan: &Plan) -> Result<(), GpuError> {
    let most_moves = MOST_PLIES / 2;
    if !plan.rules.max_moves.is_some_and(|moves| (1..=most_moves).contains(&moves)) {
        return Err(GpuError::Input(format!("games on a device have 1 to {most_moves} moves at most")));
    }
    let nodes = plan.soft_nodes.max(plan.hard_nodes).max(plan.opening.nodes);
    if nodes > MOST_NODES {
        let text = format!("a search on a device has at most {MOST_NODES} nodes, not {nodes}");
        return Err(GpuError::Input(text));
    }
    Ok(())
}

/// The device counts nodes in 31 bits.
pub const MOST_NODES: u64 = i32::MAX as u64;

fn small(nodes: u64) -> u32 {
    nodes.clamp(1, MOST_NODES) as u32
}

/// What is wanted of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// Bytes of room for finished games between two looks; 0 if they are not wanted.
    pub game_bytes: usize,
    /// Room for records for training and for validation; 0 if they are not wanted.
    pub records: [usize; 2],
    /// Whether the result of each game is wanted.
    pub results: bool,
}

/// The result of a game that is not finished.
pub const NO_RESULT: u8 = 255;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// What the device says about it.
    pub header: GameHeader,
    /// The game.
    pub game: PackedGame,
}

/// Records that games left: how many of each kind, and where they lie.
pub struct Records {
    /// For training and for validation.
    pub buffers: [Buffer; 2],
    /// How many.
    pub counts: [usize; 2],
}

/// Games under way.
pub struct Games<'a> {
    machine: &'a mut dyn Machine,
    shape: Shape,
    control: &'a mut Buffer,
    launch: Launch,
    written: Option<Buffer>,
    records: [Option<Buffer>; 2],
    results: Option<Buffer>,
    last: Control,
    /// Networks and parameters, which the launch's addresses mean.
    _seats: [Option<Seat>; 2],
}

impl<'a> Games<'a> {
    pub(crate) fn new(
        machine: &'a mut dyn Machine,
        shape: Shape,
        control: &'a mut Buffer,
        mut launch: Launch,
        outputs: &Outputs,
        seats: [Option<Seat>; 2],
    ) -> Result<Games<'a>, GpuError> {
        let room = |bytes: usize| match bytes {
            0 => Ok(None),
            bytes => machine.zeros(bytes).map(Some),
        };
        let written = room(outputs.game_bytes)?;
        let [training, validation] = outputs.records.map(|count| room(count * RECORD_BYTES));
        let records = [training?, validation?];
        let results = if outputs.results {
            Some(upload(machine, &vec![NO_RESULT; launch.game_count as usize])?)
        } else {
            None
        };
        let address = |buffer: &Option<Buffer>| buffer.as_ref().map_or(0, Buffer::address);
        launch.games = address(&written);
        launch.games_capacity = outputs.game_bytes as u64;
        launch.records = [0, 1].map(|which| address(&records[which]));
        launch.records_capacity = outputs.records.map(|count| count as u64);
        launch.results = address(&results);
        let last = Control::default();
        Ok(Games { machine, shape, control, launch, written, records, results, last, _seats: seats })
    }

    /// Plays on for a while, and tells where everything stands.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn advance(&mut self, duration: Duration) -> Result<&Control, GpuError> {
        self.launch(duration)?;
        self.look()
    }

    /// Plays on for a while; a GPU does so while the host goes on.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn launch(&mut self, duration: Duration) -> Result<(), GpuError> {
        self.launch.duration_ns = duration.as_nanos() as u64;
        self.last.running = 0;
        self.last.waiting = 0;
        self.machine.write(self.control, 0, bytes_of(std::slice::from_ref(&self.last)))?;
        self.machine.play(self.shape, &self.launch)
    }

    /// Where everything stands after what was launched.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn look(&mut self) -> Result<&Control, GpuError> {
        let bytes = self.machine.read(self.control, 0..size_of::<Control>())?;
        self.last = *list_of::<Control>(&bytes)
            .first()
            .ok_or_else(|| GpuError::Layout("no control was told".to_owned()))?;
        Ok(&self.last)
    }

    /// Where everything stood after the last launch.
    pub fn control(&self) -> &Control {
        &self.last
    }

    /// Begins no further game.
    pub fn begin_no_more(&mut self) {
        self.launch.finish = 1;
    }

    /// Whether nothing is left to play or to take.
    pub fn is_over(&self) -> bool {
        let begun_all = self.launch.finish != 0 || self.last.next_game >= self.launch.game_count;
        begun_all && self.last.running == 0 && self.last.waiting == 0
    }

    /// The games that were finished since this was last asked, as they came, for [`read_games`].
    ///
    /// # Errors
    /// If the machine fails.
    pub fn take_games(&mut self) -> Result<Vec<u8>, GpuError> {
        let Some(buffer) = &self.written else { return Ok(Vec::new()) };
        let bytes = self.machine.read(buffer, 0..self.last.games_cursor as usize)?;
        self.last.games_cursor = 0;
        Ok(bytes)
    }

    /// The results so far by the games' indices: half points of the first player, or [`NO_RESULT`].
    ///
    /// # Errors
    /// If the machine fails.
    pub fn results(&self) -> Result<Vec<u8>, GpuError> {
        let Some(buffer) = &self.results else { return Ok(Vec::new()) };
        let begun = self.last.next_game.min(self.launch.game_count) as usize;
        self.machine.read(buffer, 0..begun)
    }

    /// The records, in buffers no longer than they.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn into_records(self) -> Result<Records, GpuError> {
        let counts = self.last.records_cursor.map(|count| count as usize);
        let machine = self.machine;
        let [training, validation] = self.records;
        let shorten = |buffer: Option<Buffer>, count: usize| match buffer {
            None => machine.zeros(0),
            Some(buffer) if buffer.len() == count * RECORD_BYTES => Ok(buffer),
            Some(buffer) => machine.shortened(buffer, count * RECORD_BYTES),
        };
        Ok(Records { buffers: [shorten(training, counts[0])?, shorten(validation, counts[1])?], counts })
    }
}

/// The games that a machine left.
///
/// # Errors
/// If one of them is no legal game.
pub fn read_games(mut bytes: &[u8]) -> Result<Vec<Finished>, GpuError> {
    let mut games = Vec::new();
    while let Some((header, rest)) = bytes.split_at_checked(size_of::<GameHeader>()) {
        let Some(&header) = list_of::<GameHeader>(header).first() else { break };
        let fault = |what: String| GpuError::Game { number: header.number, fault: what };
        let length = header.bytes as usize;
        let packed = rest.get(..length).ok_or_else(|| fault("it is cut off".to_owned()))?;
        let (game, read) = PackedGame::unpack(packed).map_err(|error| fault(error.to_string()))?;
        if read != length || game.moves.len() != header.plies as usize || game.result as u8 != header.result {
            return Err(fault("its header tells of another game".to_owned()));
        }
        games.push(Finished { header, game });
        bytes = rest.get(length.next_multiple_of(8)..).unwrap_or_default();
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use datagen::selfplay::Shard;
    use record::packed::Wdl;

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
    fn plans_beyond_the_device_are_refused() {
        let plan = |moves: u32, nodes: u64| {
            let opening = OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 500, max_score: 400 };
            Plan {
                player: String::new(),
                seed: 1,
                shard: Shard::WHOLE,
                soft_nodes: 100,
                hard_nodes: nodes,
                hash_mb: 0,
                opening,
                rules: AdjudicationRules { max_moves: Some(moves), ..Plan::RULES },
            }
        };
        assert_eq!(check_plan(&plan(256, 5000)), Ok(()));
        for (moves, nodes, word) in [(257, 5000, "256"), (0, 5000, "256"), (9, 1 << 31, "2147483647")] {
            let said = check_plan(&plan(moves, nodes)).unwrap_err().to_string();
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn games_are_read_one_after_the_other_and_false_ones_refused() {
        let start = Position::startpos();
        let first = start.parse_uci("e2e4").unwrap();
        let one = PackedGame { start, result: Wdl::Draw, moves: vec![(first, 5)] };
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

//! The positions of a stage's games: played into a machine's memory, and kept there for the trainer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::CudaSlice;
use train::backend::cuda::Part;
use train::example::{EXAMPLE_BYTES, Example};

use super::recipe::GamesRecipe;
use crate::abi::{Counters, MOST_PLIES};
use crate::error::GpuError;
use crate::games::{Outputs, Records};
use crate::machine::{Buffer, Machine};
use crate::player::Player;
use crate::venue::Venue;

/// How long the device plays between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The part of the free memory that a stage's positions may take; moving them needs as much again.
const MEMORY_SHARE: f64 = 0.4;

/// Positions of games, where the trainer finds them.
pub enum Store {
    /// In the CPU's memory.
    Host(Vec<Example>),
    /// In a GPU's memory.
    Gpu(Part),
}

impl Store {
    fn new(machine: &dyn Machine, buffer: Buffer, count: usize) -> Result<Store, GpuError> {
        match buffer {
            Buffer::Gpu(slice, _) => {
                let bytes: Arc<CudaSlice<u8>> = Arc::new(slice);
                Ok(Store::Gpu(Part::new(bytes, count)))
            }
            host @ Buffer::Host(_) => {
                let bytes = machine.read(&host, 0..count * EXAMPLE_BYTES)?;
                let (chunks, _) = bytes.as_chunks::<EXAMPLE_BYTES>();
                Ok(Store::Host(chunks.iter().map(Example::from_bytes).collect()))
            }
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        match self {
            Store::Host(list) => list.len(),
            Store::Gpu(part) => part.len(),
        }
    }
}

/// What a stage's games brought.
pub struct Harvest {
    /// To learn from.
    pub training: Store,
    /// Kept aside to judge by.
    pub aside: Store,
    /// What happened.
    pub counters: Counters,
    /// How long it took.
    pub seconds: f64,
    /// Part of what was wanted that is there: less than 1 where memory was full before.
    pub done: f64,
}

/// Where playing stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playing {
    /// Everything since the stage began.
    pub counters: Counters,
    /// How long it has been going on.
    pub elapsed: Duration,
    /// Part of what is wanted that is there, from 0 to 1.
    pub done: f64,
}

/// How much is wanted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Wanted {
    /// What so many seconds bring.
    Seconds(f64),
    /// This many positions.
    Positions(u64),
}

impl Wanted {
    /// What a recipe asks for.
    pub fn of(games: &GamesRecipe) -> Wanted {
        match (games.seconds, games.positions) {
            (Some(seconds), _) => Wanted::Seconds(seconds),
            (None, positions) => Wanted::Positions(positions.unwrap_or_default()),
        }
    }

    fn done(self, records: u64, elapsed: Duration) -> f64 {
        let share = match self {
            Wanted::Seconds(seconds) => elapsed.as_secs_f64() / seconds,
            Wanted::Positions(positions) => records as f64 / positions.max(1) as f64,
        };
        share.min(1.0)
    }

    /// The time until the next look: not beyond the end.
    fn look_after(self, elapsed: Duration) -> Duration {
        match self {
            Wanted::Seconds(seconds) => {
                let left =
                    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).saturating_sub(elapsed);
                left.clamp(Duration::from_millis(10), LOOK_EVERY)
            }
            Wanted::Positions(_) => LOOK_EVERY,
        }
    }
}

/// The last games in progress are not waited for when so small a part of the device is still busy with them.
const IDLE_SHARE: u64 = 50;

/// Plays a stage's games. Those in progress in the end are played on, or else short games would be too many; only the
/// last few are left unfinished. `None` if somebody asked to stop.
pub fn play(
    venue: &mut Venue,
    player: &Player,
    games: &GamesRecipe,
    wanted: Wanted,
    seed: u64,
    stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Playing),
) -> Result<Option<Harvest>, GpuError> {
    let clock = Instant::now();
    let warps = venue.games_at_once(&player.network)?;
    let outputs = Outputs { records: room(venue.machine(), games, wanted, warps), ..Outputs::default() };
    let mut playing = venue.begin([player; 2], &games.terms(seed), &outputs)?;
    let mut look_after = wanted.look_after(Duration::ZERO);
    let mut finishing = false;
    let mut done = 0.0;
    while !playing.is_over() {
        if stop() {
            return Ok(None);
        }
        let control = playing.advance(look_after)?;
        let (counters, running, waiting) = (control.counters, control.running, control.waiting);
        let records = control.records_cursor.iter().sum();
        done = wanted.done(records, clock.elapsed());
        report(Playing { counters, elapsed: clock.elapsed(), done });
        // A full buffer ends it as well: whoever waits for room would wait forever.
        if waiting > 0 {
            break;
        }
        if finishing && running * IDLE_SHARE < warps as u64 {
            break;
        }
        if done >= 1.0 && !finishing {
            finishing = true;
            playing.begin_no_more();
        }
        look_after = if finishing { LOOK_EVERY / 4 } else { wanted.look_after(clock.elapsed()) };
    }
    let counters = playing.control().counters;
    let Records { buffers: [training, aside], counts } = playing.into_records()?;
    let machine = venue.machine();
    Ok(Some(Harvest {
        training: Store::new(machine, training, counts[0])?,
        aside: Store::new(machine, aside, counts[1])?,
        counters,
        seconds: clock.elapsed().as_secs_f64(),
        done,
    }))
}

/// Room for the positions, to learn from and kept aside.
fn room(machine: &dyn Machine, games: &GamesRecipe, wanted: Wanted, warps: usize) -> [usize; 2] {
    // Every game in progress may end at once with as many positions as a game can have.
    let in_progress = (warps as u64 * u64::from(MOST_PLIES)).min(1 << 22);
    let most = (machine.free_memory() as f64 * MEMORY_SHARE) as u64 / EXAMPLE_BYTES as u64;
    let positions = match wanted {
        Wanted::Positions(positions) => positions,
        Wanted::Seconds(seconds) => {
            (seconds * machine.most_nodes_per_second() / f64::from(games.nodes)) as u64
        }
    };
    let training = positions.saturating_add(in_progress).min(most);
    let aside = match games.aside_every {
        0 => 0,
        // Twice the expected share, for games differ.
        every => (2 * training / u64::from(every)).max(in_progress.min(most)),
    };
    [training as usize, aside as usize]
}

#[cfg(test)]
mod tests {
    use super::super::recipe::LoopRecipe;
    use super::*;
    use crate::abi::{EvaluateLaunch, Launch, Layout, PerftLaunch};
    use crate::machine::LaneMachine;
    use nnue::FloatNetwork;
    use nnue::shape::Shape;
    use std::ops::Range;

    /// The lane with little memory.
    struct Small(LaneMachine);

    impl Machine for Small {
        fn describe(&self) -> String {
            self.0.describe()
        }

        fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError> {
            self.0.layout(shape)
        }

        fn warps(&mut self, shape: Shape) -> Result<usize, GpuError> {
            self.0.warps(shape)
        }

        fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError> {
            self.0.zeros(bytes)
        }

        fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError> {
            self.0.clear(buffer)
        }

        fn write(&self, buffer: &mut Buffer, place: usize, bytes: &[u8]) -> Result<(), GpuError> {
            self.0.write(buffer, place, bytes)
        }

        fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError> {
            self.0.read(buffer, range)
        }

        fn shortened(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError> {
            self.0.shortened(buffer, bytes)
        }

        /// Room for 600 positions.
        fn free_memory(&self) -> u64 {
            (600.0 * EXAMPLE_BYTES as f64 / MEMORY_SHARE) as u64
        }

        fn most_nodes_per_second(&self) -> f64 {
            self.0.most_nodes_per_second()
        }

        fn play(&mut self, shape: Shape, launch: &Launch) -> Result<(), GpuError> {
            self.0.play(shape, launch)
        }

        fn perft(&mut self, shape: Shape, launch: &PerftLaunch) -> Result<(), GpuError> {
            self.0.perft(shape, launch)
        }

        fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError> {
            self.0.evaluate(shape, launch)
        }
    }

    #[test]
    fn a_full_memory_ends_the_games_early_and_is_known_afterwards() {
        let Ok(lane) = LaneMachine::new() else { return };
        let recipe = LoopRecipe::read(
            "name = 'a'\n[[stages]]\nname = 'one'\nnetwork.hidden = 64\ntraining.positions = 1000\n\
             games = { nodes = 20, positions = 1, opening_nodes = 20, opening_score = 20000 }\n",
        );
        let games = recipe.unwrap().stages.remove(0).games;
        let player = Player::new(FloatNetwork::random(Shape::new(64).unwrap(), 1).quantise());
        let mut venue = Venue::new(Box::new(Small(lane))).unwrap();
        let mut harvest = |positions| {
            let wanted = Wanted::Positions(positions);
            play(&mut venue, &player, &games, wanted, 1, &|| false, &mut |_| {}).unwrap().unwrap()
        };
        let whole = harvest(100);
        assert!(whole.done >= 1.0 && whole.training.len() + whole.aside.len() >= 100);
        let short = harvest(100_000);
        assert!(short.done < 1.0 && short.training.len() <= 600, "{}", short.training.len());
    }
}

//! `vedette gpu verify`: plays games on the GPU and on the CPU and compares them to the last bit.

use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::thread;

use gpu::machine::MachineName;
use gpu::player::Player;
use gpu::venue::Venue;
use gpu::verify::{Difference, compare, games};
use lab::selfplay::{Plan, Shard};
use record::packed::PackedGame;

use super::DeviceArguments;
use super::players::AnyNetworkArguments;
use crate::commands::count;
use crate::commands::interrupt::{stop_on_signal, unless_interrupted};
use crate::commands::selfplay_options::PlanArguments;
use crate::commands::ticker::Ticker;

/// How many games, and how they are played.
#[derive(clap::Args)]
pub struct Arguments {
    /// Games to compare
    #[arg(long, value_name = "N", default_value = "1k", value_parser = count::parse)]
    games: u64,
    #[command(flatten)]
    network: AnyNetworkArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Threads of the CPU that play [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Compares, and tells the first difference; that there is one is a failure.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let (player, name) = arguments.network.player()?;
    let plan = arguments.plan.plan(&name, 0);
    let mut venue = arguments.device.venue()?;
    let mut ticker = Ticker::new();
    let wanted = arguments.games;
    let there = games(&mut venue, &plan, &player, wanted, &interrupt, |done| {
        ticker.tell(|| format!("{done} of {wanted} games on {}", venue_name(arguments)));
    })?;
    let threads = arguments
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    ticker.tell(|| format!("{wanted} games with {threads} lanes of the CPU"));
    let here = on_lanes(&plan, &player, wanted, threads, &interrupt)?;
    ticker.end(None);
    unless_interrupted()?;
    let difference =
        there.iter().zip(&here).zip(0..).find_map(|((one, two), number)| compare(number, one, two));
    if let Some(difference) = difference {
        return Err(tell(&difference).into());
    }
    let positions: usize = there.iter().map(|game| game.moves.len()).sum();
    let text = format!(
        "{} games with {} positions are the same on {} and on the CPU",
        count::grouped(there.len() as u64),
        count::grouped(positions as u64),
        venue.machine().describe()
    );
    Ok(writeln!(io::stdout(), "{text}")?)
}

fn venue_name(arguments: &Arguments) -> String {
    arguments.device.device.to_string()
}

fn tell(difference: &Difference) -> String {
    let Difference { number, ply, position, found: [there, here] } = difference;
    format!(
        "game {number} differs after {ply} half moves, in {}: the device has {there}, the CPU {here}",
        position.to_fen()
    )
}

/// The same games with several lanes, each of which plays its share.
fn on_lanes(
    plan: &Plan,
    player: &Player,
    count: u64,
    threads: usize,
    interrupt: &AtomicBool,
) -> Result<Vec<PackedGame>, Box<dyn Error>> {
    let of = threads.clamp(1, count.max(1) as usize) as u64;
    let share = |number: u64| -> Result<Vec<PackedGame>, String> {
        let shard = Shard { number, of };
        let plan = Plan { shard, ..plan.clone() };
        let own = (count + of - number) / of;
        let machine = MachineName::Lane.open().map_err(|error| error.to_string())?;
        let mut venue = Venue::new(machine).map_err(|error| error.to_string())?;
        games(&mut venue, &plan, player, own, interrupt, |_| {}).map_err(|error| error.to_string())
    };
    let shares = thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = (1..=of).map(|number| scope.spawn(move || share(number))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
            .collect::<Result<Vec<_>, String>>()
    })?;
    let nth = |number: u64| shares[(number % of) as usize].get((number / of) as usize).cloned();
    Ok((0..count).map_while(nth).collect())
}

//! Nanoseconds of an evaluation with every path of this CPU: each child of each position of random games is
//! made and evaluated, as at the leaves of a search. `cargo bench -p vedette-nnue [-- WIDTH...]`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use chess::Position;
use nnue::shape::{Head, Shape};
use nnue::{FloatNetwork, Network, NetworkEvaluator, SimdPath};

fn main() {
    let widths: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let widths = if widths.is_empty() { vec![256, 512, 1024] } else { widths };
    let parents = parents();
    println!("nanoseconds of a move and its evaluation");
    for hidden in widths {
        for head in Head::ALL {
            let Ok(shape) = Shape::new(hidden).and_then(|shape| shape.with_head(head)) else {
                println!("{hidden:>5} is not a width of {head} networks");
                continue;
            };
            let network = Arc::new(network(shape));
            print!("{hidden:>5} {head:<7}");
            for path in SimdPath::available() {
                let mut evaluator = NetworkEvaluator::with_path(Arc::clone(&network), path);
                // The best of several rounds, to reduce noise.
                let best = (0..7).map(|_| round(&mut evaluator, &parents)).fold(f64::INFINITY, f64::min);
                print!("  {path} {best:.0}");
            }
            println!();
        }
    }
}

/// A random network. Of the products of a layered one about 10 % are not 0, and about a third of the chunks of four; those of
/// a trained one may be more or fewer.
fn network(shape: Shape) -> Network {
    let mut network = FloatNetwork::random(shape, 1);
    if shape.head() == Head::Layered {
        network.feature_bias.iter_mut().for_each(|bias| *bias -= 0.35);
    }
    network.quantise()
}

/// Positions of a random game.
fn parents() -> Vec<Position> {
    let mut list = vec![Position::startpos()];
    for number in 0..200_usize {
        let position = list[number];
        let moves = position.legal_moves();
        let next = moves.get(number * 7919 % moves.len().max(1));
        list.push(next.map_or_else(Position::startpos, |&mv| position.after(mv)));
    }
    list
}

/// Mean nanoseconds per child.
fn round(evaluator: &mut NetworkEvaluator, parents: &[Position]) -> f64 {
    let start = Instant::now();
    let mut children = 0;
    for parent in parents {
        evaluator.reset(parent);
        for mv in parent.legal_moves() {
            let child = parent.after(mv);
            evaluator.push(parent, mv);
            black_box(evaluator.evaluate(&child));
            evaluator.pop();
            children += 1;
        }
    }
    start.elapsed().as_nanos() as f64 / f64::from(children)
}

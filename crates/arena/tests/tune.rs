//! What the feature `tune` adds: search parameters as values, as UCI options, and in games.

use arena::openings::default_book;
use arena::spsa::{play_pair, tuned_params};
use engine::Engine;
use engine::params::{ALL, Parameter, Params};

#[test]
fn parameters_are_options() {
    let declarations: Vec<String> = Engine::option_declarations().map(ToString::to_string).collect();
    for Parameter { name, default, min, max, .. } in ALL {
        let declaration = format!("option name {name} type spin default {default} min {min} max {max}");
        assert!(declarations.contains(&declaration), "{declaration}");
    }
}

#[test]
fn set_changes_one_value_within_its_range() {
    let mut params = Params::default();
    let parameter = Parameter::named("null_move_base").expect("declared");
    assert!(params.set(parameter, parameter.max) && !params.set(parameter, parameter.max + 1));
    assert_eq!((params.null_move_base(), params.get(parameter)), (parameter.max, parameter.max));
    let mut others = ALL.iter().filter(|other| *other != parameter);
    assert!(others.all(|other| params.get(other) == other.default));
}

/// With shared values all pairs would be drawn, or depend on what is played at the same time.
#[test]
fn each_side_plays_with_its_own_values() {
    let names = ["reduction_quiet_base", "reduction_quiet_factor", "null_move_base", "late_move_base"];
    let wild = tuned_params(&names.map(str::to_owned), &[2048.0, 900.0, 6144.0, 1.0]).expect("in range");
    let tame = Params::default();
    let book = default_book();
    let mut decided = 0;
    for number in 0..8 {
        let opening = book.opening(number).expect("valid");
        let pair = |plus, minus| play_pair(plus, minus, &opening, 1000).expect("memory");
        let (result, reversed, equal) = std::thread::scope(|scope| {
            let result = scope.spawn(|| pair(&tame, &wild));
            let reversed = scope.spawn(|| pair(&wild, &tame));
            let equal = pair(&tame, &tame);
            (result.join().expect("no panic"), reversed.join().expect("no panic"), equal)
        });
        assert_eq!((equal, result), (0, -reversed));
        assert_eq!(result, pair(&tame, &wild), "the same alone");
        decided += i32::from(result != 0);
    }
    assert!(decided > 0);
}

#[test]
fn invalid_parameters_are_rejected() {
    assert!(tuned_params(&["nonsense".to_owned()], &[1.0]).is_err());
    assert!(tuned_params(&["aspiration_delta".to_owned()], &[1e6]).is_err());
}

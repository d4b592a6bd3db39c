//! The inner loops over vectors, once for all instruction sets. A module that calls `kernels!` defines the vector
//! and what can be done with it: `load`, `store`, `add`, `subtract`, `activate`, `dot`, `NO_SUM`, `spread`.

/// Makes `update`, `refresh` and `weigh` for the instructions `$feature`. A row is `$parts` vectors.
macro_rules! kernels {
    ($feature:literal, $parts:literal) => {
        /// Vectors of a row.
        const PARTS: usize = $parts;

        #[target_feature(enable = $feature)]
        pub fn update<const A: usize, const R: usize>(
            target: &mut [Row],
            source: &[Row],
            added: [&[Row]; A],
            removed: [&[Row]; R],
        ) {
            let length = target.len();
            let source = &source[..length];
            let added = added.map(|rows| &rows[..length]);
            let removed = removed.map(|rows| &rows[..length]);
            for index in 0..length {
                for part in 0..PARTS {
                    let mut units = load(&source[index], part);
                    for rows in added {
                        units = add(units, load(&rows[index], part));
                    }
                    for rows in removed {
                        units = subtract(units, load(&rows[index], part));
                    }
                    store(&mut target[index], part, units);
                }
            }
        }

        #[target_feature(enable = $feature)]
        pub fn refresh(
            units: &mut [Row],
            target: &mut [Row],
            weights: &[Row],
            added: &[u16],
            removed: &[u16],
        ) {
            // As many units at a time as registers hold; what remains in the smallest step of a width.
            let length = units.len();
            let whole = length - length % BLOCK;
            for first in (0..whole).step_by(BLOCK) {
                refresh_block::<BLOCK>(units, target, weights, added, removed, first);
            }
            for first in (whole..length).step_by(2) {
                refresh_block::<2>(units, target, weights, added, removed, first);
            }
        }

        /// Rows that `refresh` keeps in registers: eight vectors.
        const BLOCK: usize = 8 / PARTS;

        #[target_feature(enable = $feature)]
        #[inline]
        fn refresh_block<const ROWS: usize>(
            units: &mut [Row],
            target: &mut [Row],
            weights: &[Row],
            added: &[u16],
            removed: &[u16],
            first: usize,
        ) {
            let length = units.len();
            let units = &mut units[first..first + ROWS];
            let target = &mut target[first..first + ROWS];
            let mut sums: [[Vector; PARTS]; ROWS] =
                std::array::from_fn(|row| std::array::from_fn(|part| load(&units[row], part)));
            for &feature in added {
                let rows = &weights[usize::from(feature) * length + first..][..ROWS];
                for (sums, row) in sums.iter_mut().zip(rows) {
                    for part in 0..PARTS {
                        sums[part] = add(sums[part], load(row, part));
                    }
                }
            }
            for &feature in removed {
                let rows = &weights[usize::from(feature) * length + first..][..ROWS];
                for (sums, row) in sums.iter_mut().zip(rows) {
                    for part in 0..PARTS {
                        sums[part] = subtract(sums[part], load(row, part));
                    }
                }
            }
            for row in 0..ROWS {
                for part in 0..PARTS {
                    store(&mut units[row], part, sums[row][part]);
                    store(&mut target[row], part, sums[row][part]);
                }
            }
        }

        #[target_feature(enable = $feature)]
        pub fn weigh(units: [&[Row]; 2], weights: [&[Row]; 2]) -> i64 {
            // Two rows at a time: the sums are spread over 32 lanes, as the weight limits require.
            let mut sums = [[NO_SUM; PARTS]; 2];
            for half in 0..2 {
                let pairs = units[half].as_chunks::<2>().0.iter().zip(weights[half].as_chunks::<2>().0);
                for (units, weights) in pairs {
                    for row in 0..2 {
                        for part in 0..PARTS {
                            let active = activate(load(&units[row], part));
                            sums[row][part] = dot(sums[row][part], active, load(&weights[row], part));
                        }
                    }
                }
            }
            let mut total = 0;
            for sum in sums.as_flattened() {
                total += spread(*sum).iter().map(|&lane| i64::from(lane)).sum::<i64>();
            }
            total
        }
    };
}

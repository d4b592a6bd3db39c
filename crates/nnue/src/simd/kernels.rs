//! The inner loops over vectors, once for all instruction sets. A module that calls `kernels!` defines the vector
//! and what can be done with it: `load`, `store`, `add`, `subtract`, `activate`, `dot`, `NO_SUM`, `spread`; and for layered
//! networks `multiply`, `narrow`, `append`, `repeat`, `dot_bytes`, `SIGN`, `dot_pairs`.

/// Makes `update`, `refresh`, `weigh` and `layered` for the instructions `$feature`. A row is `$parts` vectors.
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

        #[target_feature(enable = $feature)]
        pub fn layered(units: [&[Row]; 2], stack: &Stack, scratch: &mut Scratch) -> i64 {
            let rows = units[0].len();
            let Scratch { products, chunks } = scratch;
            let products = &mut products[..rows / 2];
            let count = multiply_pairs(units, products, chunks);
            let sums = first_layer(products, &chunks[..count], &stack.first_weights);
            let sums = second_layer(&stack.first_pairs(sums), &stack.second_weights);
            stack.output(&sums)
        }

        /// Computes the inputs of the first layer, and lists those chunks of them that are not zero.
        #[target_feature(enable = $feature)]
        #[inline]
        fn multiply_pairs(units: [&[Row]; 2], products: &mut [Row], chunks: &mut [u16]) -> usize {
            let mut count = 0;
            let mut first_chunk = 0;
            let (ours, theirs) = products.split_at_mut(units[0].len() / 4);
            for (units, products) in units.into_iter().zip([ours, theirs]) {
                let (first, second) = units.split_at(units.len() / 2);
                let pairs = first.as_chunks::<2>().0.iter().zip(second.as_chunks::<2>().0);
                for ((first, second), target) in pairs.zip(products) {
                    for part in 0..PARTS {
                        let product = |vector: usize| {
                            let row = vector / PARTS;
                            let part = vector - row * PARTS;
                            (load(&first[row], part), load(&second[row], part))
                        };
                        let (low, high) = (product(2 * part), product(2 * part + 1));
                        let bytes = narrow(multiply(low.0, low.1), multiply(high.0, high.1));
                        store(target, part, bytes);
                        count = append(chunks, count, bytes, first_chunk);
                        first_chunk += CHUNKS / PARTS;
                    }
                }
            }
            count
        }

        /// Sums that are computed at the same time, so that one need not wait for the other.
        const CHAINS: usize = if PARTS == 4 { 1 } else { 4 / PARTS };

        /// The sums of the first layer, of these chunks.
        #[target_feature(enable = $feature)]
        #[inline]
        fn first_layer(products: &[Row], chunks: &[u16], weights: &[Row]) -> [i32; FIRST_LAYER] {
            let words = words(products);
            debug_assert!(words.len() == weights.len());
            debug_assert!(chunks.iter().all(|&chunk| usize::from(chunk) < words.len()));
            let mut sums = [[NO_SUM; PARTS]; CHAINS];
            let (groups, rest) = chunks.as_chunks::<CHAINS>();
            for group in groups {
                for (sums, &chunk) in sums.iter_mut().zip(group) {
                    // SAFETY: the list has numbers of chunks of the products, and there is a row of weights for each.
                    let (word, row) = unsafe {
                        (*words.get_unchecked(usize::from(chunk)), weights.get_unchecked(usize::from(chunk)))
                    };
                    for part in 0..PARTS {
                        sums[part] = dot_bytes(sums[part], repeat(word), load(row, part));
                    }
                }
            }
            for &chunk in rest {
                // SAFETY: as above.
                let (word, row) = unsafe {
                    (*words.get_unchecked(usize::from(chunk)), weights.get_unchecked(usize::from(chunk)))
                };
                for part in 0..PARTS {
                    sums[0][part] = dot_bytes(sums[0][part], repeat(word), load(row, part));
                }
            }
            let mut totals = [0; FIRST_LAYER];
            for sums in sums {
                for (totals, sum) in totals.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                    let lanes = spread(sum);
                    totals.iter_mut().zip(lanes).for_each(|(total, lane)| *total += SIGN * lane);
                }
            }
            totals
        }

        /// Sums of a vector.
        const LANES: usize = FIRST_LAYER / PARTS;

        /// The sums of the second layer.
        #[target_feature(enable = $feature)]
        #[inline]
        fn second_layer(
            inputs: &[i32; FIRST_LAYER],
            weights: &[[Row; 2]; FIRST_LAYER],
        ) -> [i32; SECOND_LAYER] {
            let mut sums = [[[NO_SUM; PARTS]; 2]; 2];
            let pairs = inputs.as_chunks::<2>().0.iter().zip(weights.as_chunks::<2>().0);
            for (inputs, weights) in pairs {
                for chain in 0..2 {
                    let input = repeat(inputs[chain]);
                    for half in 0..2 {
                        for part in 0..PARTS {
                            let sum = sums[chain][half][part];
                            sums[chain][half][part] =
                                dot_pairs(sum, input, load(&weights[chain][half], part));
                        }
                    }
                }
            }
            let mut totals = [0; SECOND_LAYER];
            for sums in &sums {
                let sums = sums.as_flattened();
                for (totals, &sum) in totals.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                    totals.iter_mut().zip(spread(sum)).for_each(|(total, lane)| *total += lane);
                }
            }
            totals
        }
    };
}

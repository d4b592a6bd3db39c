// The kernels around the matrix products of a step: decode, adam, and between them what a head needs: `tail` for a single
// output layer, `pair`, `head` and `unpair` for a layered one. Compiled at run time by NVRTC. The host sets the shape with
// these macros:
//   FEATURES     inputs per perspective        INPUTS   the same and a constant one, padded
//   HIDDEN       hidden units per perspective  BUCKETS  output buckets
//   ROUNDS       Feistel rounds of the shuffle  TILE     positions per tile of `tail` and `head`
//   MAX_BUFFERS  buffers of examples            LISTS    groups of parameters
//   LAYERED      1 for a layered head: FIRST and SECOND units of its layers; PRODUCT_ONE is a product of 1.0 in integers

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

const u32 WARP = 32;
const u32 PERSPECTIVES = 2;
const u32 KINDS = 12;
const u32 SQUARES = 64;
const u32 ROLES = 6;

// `Example` of example.rs.
struct Example {
    u64 occupied;
    u8 pieces[16];
    short score;
    u8 half_points;
    u8 kings[PERSPECTIVES];
    u8 unused[3];
};

// Each buffer holds the examples from the previous buffer's end to its own.
struct ExampleBuffers {
    const Example *first[MAX_BUFFERS];
    u32 end[MAX_BUFFERS];
};

// `Shuffle` of shuffle.rs.
struct Order {
    u32 length;
    u32 half_bits;
    u32 shuffled;
    u32 keys[ROUNDS];
};

// `Update` of optimizer.rs, and the groups of parameters.rs.
struct Update {
    float beta1, beta2, rate, root_scale, keep, epsilon;
    u32 quantise;
    u32 group_end[LISTS];
    float limit[LISTS];
    float one[LISTS];
};

struct Loss {
    float scale, steepness, power, result_share;
};

__device__ u16 to_half(float number) {
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(number));
    return half;
}

__device__ float sigmoid(float value) { return 1.0f / (1.0f + expf(-value)); }

struct Graded {
    float loss, slope;
};

// `Loss::grade` of loss.rs.
__device__ Graded grade(const Loss &loss, float output, float target) {
    float expected = sigmoid(output * loss.steepness);
    float error = expected - target;
    float distance = fabsf(error);
    float lower = loss.power == 2.0f ? distance : powf(distance, loss.power - 1.0f);
    float slope = loss.power * copysignf(lower, error) * expected * (1.0f - expected) * loss.steepness;
    return {lower * distance, slope};
}

__device__ u32 number_at(const Order &order, u32 place) {
    if (!order.shuffled) return place;
    u32 mask = (1u << order.half_bits) - 1;
    u32 number = place;
    do {
        u32 left = number >> order.half_bits, right = number & mask;
        for (u32 round = 0; round < ROUNDS; round++) {
            u32 noise = (right ^ order.keys[round]) * 0x9e3779b1u;
            noise ^= noise >> 15;
            noise *= 0x85ebca77u;
            noise ^= noise >> 13;
            u32 next = (left ^ noise) & mask;
            left = right;
            right = next;
        }
        number = left << order.half_bits | right;
    } while (number >= order.length);
    return number;
}

__device__ const Example *example_at(const ExampleBuffers &buffers, u32 number) {
    u32 buffer = 0, begin = 0;
    while (number >= buffers.end[buffer]) begin = buffers.end[buffer++];
    return buffers.first[buffer] + (number - begin);
}

// Two bits as two half-precision numbers: 1.0 where a bit is set.
__device__ u32 two_halves(u32 bits) { return (bits & 1 ? 0x3c00u : 0u) | (bits & 2 ? 0x3c000000u : 0u); }

// From examples to one-hot rows, one for each perspective, and targets. A warp takes a position:
// each lane reads two squares, sets bits, and writes the bits as numbers, 16 bytes at a time.
const u32 DECODE_WARPS = 8;
const u32 WORDS = (INPUTS + 31) / 32;

extern "C" __global__ void __launch_bounds__(DECODE_WARPS *WARP)
    decode(const __grid_constant__ ExampleBuffers buffers, Order order, u32 first, u32 count,
           const u16 *__restrict__ features, const u8 *__restrict__ bucket_of_men, Loss loss, u16 *inputs,
           float *targets, u8 *buckets) {
    __shared__ u32 shared_bits[DECODE_WARPS][PERSPECTIVES * WORDS];
    u32 warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    u32 position = blockIdx.x * DECODE_WARPS + warp;
    if (position >= count) return;
    const Example *example = example_at(buffers, number_at(order, first + position));
    u32 *bits = shared_bits[warp];
    for (u32 word = lane; word < PERSPECTIVES * WORDS; word += WARP) bits[word] = 0;
    __syncwarp();
    u64 occupied = example->occupied;
    for (u32 square = lane; square < SQUARES; square += WARP) {
        if (!(occupied >> square & 1)) continue;
        u32 index = __popcll(occupied & ((1ull << square) - 1));
        u32 code = example->pieces[index / 2] >> (4 * (index % 2)) & 15;
        u32 kind = (code & 7) + (code >> 3) * ROLES;
        for (u32 perspective = 0; perspective < PERSPECTIVES; perspective++) {
            u32 row = perspective * SQUARES + example->kings[perspective];
            u32 feature = features[(row * KINDS + kind) * SQUARES + square];
            atomicOr(&bits[perspective * WORDS + feature / 32], 1u << feature % 32);
        }
    }
    // The constant input: its weights are the biases.
    if (lane < PERSPECTIVES) atomicOr(&bits[lane * WORDS + FEATURES / 32], 1u << FEATURES % 32);
    __syncwarp();
    for (u32 perspective = 0; perspective < PERSPECTIVES; perspective++) {
        uint4 *row = (uint4 *)(inputs + (u64)(position * PERSPECTIVES + perspective) * INPUTS);
        for (u32 chunk = lane; chunk < INPUTS / 8; chunk += WARP) {
            u32 byte = bits[perspective * WORDS + chunk / 4] >> (chunk % 4 * 8);
            row[chunk] =
                make_uint4(two_halves(byte), two_halves(byte >> 2), two_halves(byte >> 4), two_halves(byte >> 6));
        }
    }
    if (lane == 0) {
        float points = 0.5f * example->half_points;
        float expected = sigmoid(example->score / loss.scale);
        targets[position] = loss.result_share * points + (1.0f - loss.result_share) * expected;
        buckets[position] = bucket_of_men[__popcll(occupied)];
    }
}

__device__ float clip(float unit) { return fminf(fmaxf(unit, 0.0f), 1.0f); }

#if !LAYERED

const u32 WIDTH = PERSPECTIVES * HIDDEN;
// Parameters behind the hidden units: output weights and biases.
const u32 OUTPUTS = BUCKETS * WIDTH + BUCKETS;
// None of them has its gradient from a matrix product.
const u32 FIRST_WEIGHTS = 0;

// From hidden units to losses, and back to gradients of the units and the output weights. A block takes tiles of
// positions: first its warps compute outputs, then each thread processes its own columns, so that
// sums need no atomics and have a fixed order.
const u32 TAIL_THREADS = 512;
const u32 TAIL_WARPS = TAIL_THREADS / WARP;

extern "C" __global__ void __launch_bounds__(TAIL_THREADS)
    tail(const float *__restrict__ units, const float *__restrict__ outputs, const float *__restrict__ targets,
         const u8 *__restrict__ buckets, u32 count, Loss loss, u32 backward, float slope_scale,
         u16 *__restrict__ unit_slopes, float *gradients, double *losses) {
    extern __shared__ float sums[];  // BUCKETS rows of WIDTH
    __shared__ float slope_of[TILE], loss_of[TILE];
    __shared__ u32 bucket_of[TILE];
    const float *biases = outputs + BUCKETS * WIDTH;
    u32 warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (backward)
        for (u32 index = threadIdx.x; index < BUCKETS * WIDTH; index += TAIL_THREADS) sums[index] = 0.0f;
    float bias_sum = 0.0f;
    double loss_sum = 0.0;

    for (u32 begin = blockIdx.x * TILE; begin < count; begin += gridDim.x * TILE) {
        for (u32 place = warp; place < TILE; place += TAIL_WARPS) {
            u32 position = begin + place;
            bool exists = position < count;
            u32 bucket = exists ? buckets[position] : 0;
            float output = 0.0f;
            if (exists) {
                const float4 *unit = (const float4 *)(units + (u64)position * WIDTH);
                const float4 *weight = (const float4 *)(outputs + bucket * WIDTH);
#pragma unroll 4
                for (u32 four = lane; four < WIDTH / 4; four += WARP) {
                    float4 u = unit[four], w = weight[four];
                    u = make_float4(clip(u.x), clip(u.y), clip(u.z), clip(u.w));
                    output += u.x * u.x * w.x + u.y * u.y * w.y + u.z * u.z * w.z + u.w * u.w * w.w;
                }
            }
            for (u32 distance = WARP / 2; distance > 0; distance /= 2)
                output += __shfl_xor_sync(0xffffffffu, output, distance);
            if (lane == 0) {
                Graded graded = {0.0f, 0.0f};
                if (exists) graded = grade(loss, output + biases[bucket], targets[position]);
                loss_of[place] = graded.loss;
                slope_of[place] = graded.slope;
                bucket_of[place] = bucket;
            }
        }
        __syncthreads();
        if (threadIdx.x < BUCKETS)
            for (u32 place = 0; place < TILE; place++)
                if (bucket_of[place] == threadIdx.x) bias_sum += slope_of[place];
        if (threadIdx.x == WARP)
            for (u32 place = 0; place < TILE; place++) loss_sum += loss_of[place];
        if (backward) {
            u32 places = min(TILE, count - begin);
            for (u32 column = 2 * threadIdx.x; column < WIDTH; column += 2 * TAIL_THREADS) {
#pragma unroll 4
                for (u32 place = 0; place < places; place++) {
                    u64 at = (u64)(begin + place) * WIDTH + column;
                    float2 u = *(const float2 *)(units + at);
                    u32 row = bucket_of[place] * WIDTH + column;
                    float2 w = *(const float2 *)(outputs + row);
                    float2 *sum = (float2 *)(sums + row);
                    float slope = slope_of[place], steep = 2.0f * slope * slope_scale;
                    float x = clip(u.x), y = clip(u.y);
                    sum->x += slope * x * x;
                    sum->y += slope * y * y;
                    float dx = u.x > 0.0f && u.x < 1.0f ? steep * x * w.x : 0.0f;
                    float dy = u.y > 0.0f && u.y < 1.0f ? steep * y * w.y : 0.0f;
                    *(u32 *)(unit_slopes + at) = (u32)to_half(dy) << 16 | to_half(dx);
                }
            }
        }
        __syncthreads();
    }

    if (backward) {
        float *mine = gradients + (u64)blockIdx.x * OUTPUTS;
        for (u32 index = threadIdx.x; index < BUCKETS * WIDTH; index += TAIL_THREADS) mine[index] = sums[index];
        if (threadIdx.x < BUCKETS) mine[BUCKETS * WIDTH + threadIdx.x] = bias_sum;
    }
    if (threadIdx.x == WARP) losses[blockIdx.x] += loss_sum;
}

#else

// Parameters behind the hidden units but for the weights of the first layer, by list and bucket.
const u32 INPUTS_OF_SECOND = 2 * FIRST;
const u32 FIRST_BIAS = 0;
const u32 SECOND_WEIGHTS = FIRST_BIAS + BUCKETS * FIRST;
const u32 SECOND_BIAS = SECOND_WEIGHTS + BUCKETS * SECOND * INPUTS_OF_SECOND;
const u32 OUTPUT_WEIGHTS = SECOND_BIAS + BUCKETS * SECOND;
const u32 OUTPUT_BIAS = OUTPUT_WEIGHTS + BUCKETS * SECOND;
const u32 OUTPUTS = OUTPUT_BIAS + BUCKETS;
// Those of the first layer have their gradients from a matrix product.
const u32 FIRST_SUMS = BUCKETS * FIRST;
const u32 FIRST_WEIGHTS = FIRST_SUMS * HIDDEN;

const u32 PAIRS = HIDDEN / 2;
const u32 QUADS = PAIRS / 4;
const u32 PAIR_THREADS = 256;

__device__ float4 clip(float4 u) { return make_float4(clip(u.x), clip(u.y), clip(u.z), clip(u.w)); }

__device__ uint2 to_halves(float4 u) {
    return make_uint2((u32)to_half(u.y) << 16 | to_half(u.x), (u32)to_half(u.w) << 16 | to_half(u.z));
}

// The four units of a quad of products, in one half of a row and in the other.
struct Quad {
    u64 low, high;
};

__device__ Quad quad_at(u32 index) {
    u64 low = (u64)(index / QUADS) * HIDDEN + 4 * (index % QUADS);
    return {low, low + PAIRS};
}

// From hidden units, in rows of a position and perspective, to products of pairs of them. With `rounded` they are cut off
// as the quantised network does it.
extern "C" __global__ void __launch_bounds__(PAIR_THREADS)
    pair(const float *__restrict__ units, u32 rows, u32 rounded, u16 *__restrict__ products) {
    u32 index = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (index >= rows * QUADS) return;
    Quad quad = quad_at(index);
    float4 a = clip(*(const float4 *)(units + quad.low)), b = clip(*(const float4 *)(units + quad.high));
    float4 x = make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
    if (rounded) {
        const float one = PRODUCT_ONE;
        x = make_float4(floorf(x.x * one) / one, floorf(x.y * one) / one, floorf(x.z * one) / one,
                        floorf(x.w * one) / one);
    }
    *(uint2 *)(products + 4 * (u64)index) = to_halves(x);
}

// The derivative by a unit that is multiplied with another.
__device__ float unit_slope(float unit, float other, float slope) {
    return unit > 0.0f && unit < 1.0f ? slope * clip(other) : 0.0f;
}

__device__ float4 unit_slope(float4 unit, float4 other, float4 slope) {
    return make_float4(unit_slope(unit.x, other.x, slope.x), unit_slope(unit.y, other.y, slope.y),
                       unit_slope(unit.z, other.z, slope.z), unit_slope(unit.w, other.w, slope.w));
}

// From gradients of products to those of the units.
extern "C" __global__ void __launch_bounds__(PAIR_THREADS)
    unpair(const float *__restrict__ units, const float *__restrict__ product_slopes, u32 rows,
           u16 *__restrict__ unit_slopes) {
    u32 index = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (index >= rows * QUADS) return;
    Quad quad = quad_at(index);
    float4 a = *(const float4 *)(units + quad.low), b = *(const float4 *)(units + quad.high);
    float4 slope = *(const float4 *)(product_slopes + 4 * (u64)index);
    *(uint2 *)(unit_slopes + quad.low) = to_halves(unit_slope(a, b, slope));
    *(uint2 *)(unit_slopes + quad.high) = to_halves(unit_slope(b, a, slope));
}

// Rows of the second layer's weights in shared memory, padded: lanes read rows and columns without bank conflicts.
const u32 ROW = INPUTS_OF_SECOND + 1;
const u32 HEAD_THREADS = 512;
const u32 HEAD_WARPS = HEAD_THREADS / WARP;
// What is larger would be infinite in half precision.
const float MAX_HALF = 65504.0f;

// From sums of the first layer to losses, and back to gradients of the sums and of all parameters behind them. A block
// takes tiles of positions: first a warp computes a position, with a lane for each unit; then each thread adds up gradients
// of its own, so that sums need no atomics and have a fixed order.
extern "C" __global__ void __launch_bounds__(HEAD_THREADS)
    head(const float *__restrict__ first_sums, const float *__restrict__ outputs, const float *__restrict__ targets,
         const u8 *__restrict__ buckets, u32 count, Loss loss, u32 backward, float slope_scale,
         u16 *__restrict__ sum_slopes, float *gradients, double *losses) {
    extern __shared__ float memory[];
    float *weights = memory;                         // BUCKETS * SECOND rows of the second layer
    float *sums = memory + BUCKETS * SECOND * ROW;   // OUTPUTS gradients
    __shared__ float input_of[TILE][INPUTS_OF_SECOND], steep_of[TILE][SECOND], activated_of[TILE][SECOND];
    __shared__ float first_of[TILE][FIRST], slope_of[TILE], loss_of[TILE];
    __shared__ u32 bucket_of[TILE];
    u32 warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const u32 ALL = 0xffffffffu;
    for (u32 index = threadIdx.x; index < BUCKETS * SECOND * INPUTS_OF_SECOND; index += HEAD_THREADS)
        weights[index / INPUTS_OF_SECOND * ROW + index % INPUTS_OF_SECOND] = outputs[SECOND_WEIGHTS + index];
    if (backward)
        for (u32 index = threadIdx.x; index < OUTPUTS; index += HEAD_THREADS) sums[index] = 0.0f;
    double loss_sum = 0.0;
    __syncthreads();

    for (u32 begin = blockIdx.x * TILE; begin < count; begin += gridDim.x * TILE) {
        u32 places = min(TILE, count - begin);
        for (u32 place = warp; place < places; place += HEAD_WARPS) {
            u32 position = begin + place;
            u32 bucket = buckets[position];
            const float *rows = weights + bucket * SECOND * ROW;
            u32 unit = bucket * FIRST + lane % FIRST;
            float first = first_sums[(u64)position * FIRST_SUMS + unit] + outputs[FIRST_BIAS + unit];
            bool squares = lane >= FIRST;
            float input = squares ? fminf(first * first, 1.0f) : clip(first);
            float second = outputs[SECOND_BIAS + bucket * SECOND + lane];
#pragma unroll
            for (u32 at = 0; at < INPUTS_OF_SECOND; at++)
                second += rows[lane * ROW + at] * __shfl_sync(ALL, input, at);
            float clipped = clip(second), activated = clipped * clipped;
            float weight = outputs[OUTPUT_WEIGHTS + bucket * SECOND + lane];
            float output = activated * weight;
            for (u32 distance = WARP / 2; distance > 0; distance /= 2)
                output += __shfl_xor_sync(ALL, output, distance);
            Graded graded = grade(loss, output + outputs[OUTPUT_BIAS + bucket], targets[position]);
            if (lane == 0) loss_of[place] = graded.loss;
            if (!backward) continue;

            float slope = graded.slope;
            float steep = second > 0.0f && second < 1.0f ? 2.0f * second * weight * slope : 0.0f;
            float input_slope = 0.0f;
#pragma unroll
            for (u32 at = 0; at < SECOND; at++) input_slope += rows[at * ROW + lane] * __shfl_sync(ALL, steep, at);
            bool moves = squares ? fabsf(first) < 1.0f : first > 0.0f && first < 1.0f;
            float part = moves ? (squares ? 2.0f * first * input_slope : input_slope) : 0.0f;
            float first_slope = part + __shfl_xor_sync(ALL, part, FIRST);
            input_of[place][lane] = input;
            steep_of[place][lane] = steep;
            activated_of[place][lane] = slope * activated;
            if (lane < FIRST) first_of[place][lane] = first_slope;
            if (lane == 0) {
                slope_of[place] = slope;
                bucket_of[place] = bucket;
            }
            // A lane writes four sums; those of other buckets have no gradient.
            float scaled = fminf(fmaxf(first_slope * slope_scale, -MAX_HALF), MAX_HALF);
            float4 four;
            u32 from = 4 * lane % FIRST;
            four.x = __shfl_sync(ALL, scaled, from);
            four.y = __shfl_sync(ALL, scaled, from + 1);
            four.z = __shfl_sync(ALL, scaled, from + 2);
            four.w = __shfl_sync(ALL, scaled, from + 3);
            uint2 halves = 4 * lane / FIRST == bucket ? to_halves(four) : make_uint2(0, 0);
            *(uint2 *)(sum_slopes + (u64)position * FIRST_SUMS + 4 * lane) = halves;
        }
        __syncthreads();
        if (threadIdx.x == 0)
            for (u32 place = 0; place < places; place++) loss_sum += loss_of[place];
        if (backward) {
            for (u32 place = 0; place < places; place++) {
                u32 bucket = bucket_of[place];
                float *row = sums + SECOND_WEIGHTS + bucket * SECOND * INPUTS_OF_SECOND;
                for (u32 unit = warp; unit < SECOND; unit += HEAD_WARPS)
                    row[unit * INPUTS_OF_SECOND + lane] += steep_of[place][unit] * input_of[place][lane];
                if (warp == 1 && lane < FIRST) sums[FIRST_BIAS + bucket * FIRST + lane] += first_of[place][lane];
                if (warp == 2) sums[SECOND_BIAS + bucket * SECOND + lane] += steep_of[place][lane];
                if (warp == 3) sums[OUTPUT_WEIGHTS + bucket * SECOND + lane] += activated_of[place][lane];
                if (warp == 4 && lane == 0) sums[OUTPUT_BIAS + bucket] += slope_of[place];
            }
        }
        __syncthreads();
    }

    if (backward) {
        float *mine = gradients + (u64)blockIdx.x * OUTPUTS;
        for (u32 index = threadIdx.x; index < OUTPUTS; index += HEAD_THREADS) mine[index] = sums[index];
    }
    if (threadIdx.x == 0) losses[blockIdx.x] += loss_sum;
}

static_assert(INPUTS_OF_SECOND == WARP && SECOND == WARP && FIRST_SUMS == 4 * WARP, "a lane for each unit");

#endif

// Stores a parameter of the forward pass: feature weights and biases and the weights of the first layer in half precision,
// which is finer than the quantised integers, the rest in single precision.
const u32 ROW_PARAMETERS = (FEATURES + 1) * HIDDEN;
// The end of those with gradients from a matrix product.
const u32 MATRIX_PARAMETERS = ROW_PARAMETERS + FIRST_WEIGHTS;

__device__ u32 group_of(const Update &update, u32 index) {
    u32 group = 0;
    while (group < LISTS - 1 && index >= update.group_end[group]) group++;
    return group;
}

__device__ void use_parameter(const Update &update, u32 index, float weight, u16 *rows, u16 *first_weights,
                              float *outputs) {
    float one = update.one[group_of(update, index)];
    float used = update.quantise ? rintf(weight * one) / one : weight;
    if (index < ROW_PARAMETERS) rows[index] = to_half(used);
    else if (index < MATRIX_PARAMETERS) first_weights[index - ROW_PARAMETERS] = to_half(used);
    else outputs[index - MATRIX_PARAMETERS] = used;
}

extern "C" __global__ void adopt(Update update, u32 count, const float *weights, u16 *rows, u16 *first_weights,
                                 float *outputs) {
    u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < count) use_parameter(update, index, weights[index], rows, first_weights, outputs);
}

// Updates all parameters. Gradients of `outputs` come in parts, one from each block of `tail` or `head`.
extern "C" __global__ void adam(Update update, u32 count, float *weights, float *first_moments, float *second_moments,
                                const float *row_gradients, const float *first_gradients,
                                const float *__restrict__ output_gradients, u32 parts, u16 *rows, u16 *first_weights,
                                float *outputs) {
    u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    float gradient = 0.0f;
    if (index < ROW_PARAMETERS) {
        gradient = row_gradients[index];
    } else if (index < MATRIX_PARAMETERS) {
        gradient = first_gradients[index - ROW_PARAMETERS];
    } else {
        // Few threads get here, so each has many loads in flight.
#pragma unroll 32
        for (u32 part = 0; part < parts; part++)
            gradient += output_gradients[(u64)part * OUTPUTS + index - MATRIX_PARAMETERS];
    }
    float limit = update.limit[group_of(update, index)];
    float first = update.beta1 * first_moments[index] + (1.0f - update.beta1) * gradient;
    float second = update.beta2 * second_moments[index] + (1.0f - update.beta2) * gradient * gradient;
    float step = update.rate * first / (sqrtf(second) * update.root_scale + update.epsilon);
    float weight = fminf(fmaxf(weights[index] * update.keep - step, -limit), limit);
    first_moments[index] = first;
    second_moments[index] = second;
    weights[index] = weight;
    use_parameter(update, index, weight, rows, first_weights, outputs);
}

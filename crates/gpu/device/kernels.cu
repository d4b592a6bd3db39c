// The kernels. A warp plays one game at a time. There is one thread block per multiprocessor, with as many warps as fit its
// shared memory and registers.
#include "game.h"
#include "perft.h"

DEVICE void copy_words(u32 *to, const u32 *from, u32 words) {
    for (u32 i = threadIdx.x; i < words; i += blockDim.x) to[i] = from[i];
}

DEVICE Block *own_block(u64 memory) {
    return (Block *)(memory + (u64)(blockIdx.x * WARPS + warp_number()) * block_bytes(HIDDEN));
}

extern "C" __global__ void layout(Layout *layout) {
    layout->block_bytes = block_bytes(HIDDEN);
    layout->play_shared_bytes = SHARED_OUTPUTS + OUTPUT_BYTES;
    layout->match_shared_bytes = SHARED_OUTPUTS + 2 * OUTPUT_BYTES;
    layout->other_shared_bytes = SHARED_OUTPUTS + OUTPUT_BYTES;
    layout->warps = WARPS;
    layout->hidden = HIDDEN;
    layout->king_buckets = KING_BUCKETS;
    layout->parameters = PARAMETER_COUNT;
    layout->unused = 0;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 1) play(const __grid_constant__ PlayLaunch launch) {
    copy_words((u32 *)shared_memory, (const u32 *)launch.lookup, sizeof(LookupTables) / 4);
    for (int side = 0; side < (launch.settings.is_match ? 2 : 1); side++) {
        u32 *parameters = (u32 *)(shared_memory + SHARED_PARAMETERS) + side * PARAMETER_COUNT;
        copy_words(parameters, (const u32 *)launch.parameters[side], PARAMETER_COUNT);
        const u32 *outputs = (const u32 *)launch.networks[side] + (KING_BUCKETS * PIECE_FEATURES + 1) * (HIDDEN / 2);
        copy_words((u32 *)(shared_memory + SHARED_OUTPUTS + side * OUTPUT_BYTES), outputs, OUTPUT_BYTES / 4);
    }
    __syncthreads();
    Warp warp;
    warp.block = own_block(launch.memory);
    play_games(warp, launch);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 1) perft(const __grid_constant__ PerftLaunch launch) {
    copy_words((u32 *)shared_memory, (const u32 *)launch.lookup, sizeof(LookupTables) / 4);
    __syncthreads();
    Warp warp;
    warp.block = own_block(launch.memory);
    for (;;) {
        u64 task = 0;
        if (lane() == 0) task = atomic_add((u64 *)launch.next_task, 1);
        task = broadcast(task);
        if (task >= launch.task_count) return;
        u64 leaves = perft(warp, ((const DevicePosition *)launch.tasks)[task], (int)launch.depth);
        if (lane() == 0) ((u64 *)launch.counts)[task] = leaves;
    }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 1) evaluate(const __grid_constant__ EvaluateLaunch launch) {
    copy_words((u32 *)shared_memory, (const u32 *)launch.lookup, sizeof(LookupTables) / 4);
    const u32 *outputs = (const u32 *)launch.network + (KING_BUCKETS * PIECE_FEATURES + 1) * (HIDDEN / 2);
    copy_words((u32 *)(shared_memory + SHARED_OUTPUTS), outputs, OUTPUT_BYTES / 4);
    __syncthreads();
    Warp warp;
    warp.block = own_block(launch.memory);
    warp.side = 0;
    task_of(warp).network = (const u32 *)launch.network;
    sync_warp();
    u64 warps = gridDim.x * WARPS;
    for (u64 index = blockIdx.x * WARPS + warp_number(); index < launch.count; index += warps) {
        Board board;
        set_board(board, ((const DevicePosition *)launch.positions)[index]);
        i32 value = evaluate(warp, board, 0, true, true);
        if (lane() == 0) ((i32 *)launch.values)[index] = value;
    }
}

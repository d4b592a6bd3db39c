// Synthesised move sounds, off by default.

import { settings } from './settings';

let context: AudioContext | undefined;

/** A short knock; a capture is deeper, a check brighter. */
export function knock(kind: 'move' | 'capture' | 'check' | 'end'): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const [pitch, length] = { move: [320, 0.07], capture: [210, 0.1], check: [520, 0.12], end: [260, 0.4] }[kind] as [
    number,
    number,
  ];
  const now = context.currentTime;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, now + length);
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + length);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + length);
}

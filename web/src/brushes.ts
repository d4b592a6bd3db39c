// Colours of the arrows: the best move, other lines, advice, and the user's own. They contrast with every square of both themes.

export const BRUSHES = {
  best: { key: 'best', color: '#1d5fa8', opacity: 0.55, lineWidth: 11 },
  other: { key: 'other', color: '#14181c', opacity: 0.5, lineWidth: 8 },
  advice: { key: 'advice', color: '#15781b', opacity: 0.65, lineWidth: 11 },
  green: { key: 'g', color: '#15781b', opacity: 0.6, lineWidth: 10 },
  red: { key: 'r', color: '#882020', opacity: 0.6, lineWidth: 10 },
  blue: { key: 'b', color: '#003088', opacity: 0.6, lineWidth: 10 },
  yellow: { key: 'y', color: '#e68f00', opacity: 0.7, lineWidth: 10 },
};

// The arrows' colours: the engine's first choice, its others, and advice. They are seen on every square of both themes.

export const BRUSHES = {
  best: { key: 'best', color: '#1d5fa8', opacity: 0.6, lineWidth: 11 },
  other: { key: 'other', color: '#14181c', opacity: 0.5, lineWidth: 8 },
  advice: { key: 'advice', color: '#15781b', opacity: 0.75, lineWidth: 11 },
};

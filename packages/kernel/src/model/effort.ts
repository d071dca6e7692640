/** The reasoning level of a turn, and who decided it (EFF-1, EFF-3). */
import { EFFORTS, type Effort, type EffortSource, type TurnEffort } from '@chat-kernel/protocol';

/** The sources that may name a level, the strongest first. */
export interface EffortVoices {
  turn: Effort | undefined;
  /** The master's text: the word ultrathink counts in it, and in nobody else's. */
  master_text: string | undefined;
  chat: Effort | null;
  surface: Effort | undefined;
  model: Effort | null;
  global: Effort;
}

/** The level of the strongest voice, or the nearest that the model takes. */
export function chooseEffort(voices: EffortVoices, efforts: readonly Effort[]): TurnEffort {
  const [source, wanted] = strongest(voices);
  return { value: nearest(wanted, efforts), source, raised: false };
}

function strongest(voices: EffortVoices): [EffortSource, Effort] {
  if (voices.turn) return ['turn', voices.turn];
  if (/\bultrathink\b/i.test(voices.master_text ?? '')) return ['ultrathink', 'high'];
  if (voices.chat) return ['chat', voices.chat];
  if (voices.surface) return ['surface', voices.surface];
  if (voices.model) return ['model', voices.model];
  return ['global', voices.global];
}

/** The nearest of the levels; of two equally near ones the weaker, because it costs less. */
function nearest(wanted: Effort, efforts: readonly Effort[]): Effort {
  const rank = EFFORTS.indexOf(wanted);
  const distance = (effort: Effort) => Math.abs(EFFORTS.indexOf(effort) - rank);
  return EFFORTS.filter(effort => efforts.includes(effort)).reduce(
    (best, effort) => (distance(effort) < distance(best) ? effort : best),
    efforts.length > 0 ? weakest(efforts) : wanted,
  );
}

/**
 * The effort after think_harder: high, or the highest that the model takes. Null where it was raised before (EFF-2).
 */
export function raise(effort: TurnEffort, efforts: readonly Effort[]): TurnEffort | null {
  if (effort.raised) return null;
  const highest = EFFORTS.findLast(level => efforts.includes(level)) ?? effort.value;
  // An effort above the highest level of the model stays: think_harder never lowers it.
  const value = EFFORTS.indexOf(highest) > EFFORTS.indexOf(effort.value) ? highest : effort.value;
  return { ...effort, value, raised: true };
}

const weakest = (efforts: readonly Effort[]): Effort =>
  EFFORTS.find(effort => efforts.includes(effort)) as Effort;

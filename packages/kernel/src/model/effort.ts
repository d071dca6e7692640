/** Which reasoning level a turn runs with, and who decided it (EFF-1, EFF-3). */
import { EFFORTS, type Effort, type EffortSource, type TurnEffort } from '@chat-kernel/protocol';

/** Who has a say, strongest first. */
export interface EffortVoices {
  turn: Effort | undefined;
  /** Text of the master alone: nobody else's ultrathink counts. */
  master_text: string | undefined;
  chat: Effort | null;
  surface: Effort | undefined;
  model: Effort | null;
  global: Effort;
}

/** The strongest voice, brought to the nearest of the levels that the model takes. */
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

/** Of two levels that are equally near, the weaker: it costs less. */
function nearest(wanted: Effort, efforts: readonly Effort[]): Effort {
  const rank = EFFORTS.indexOf(wanted);
  const distance = (effort: Effort) => Math.abs(EFFORTS.indexOf(effort) - rank);
  return EFFORTS.filter(effort => efforts.includes(effort)).reduce(
    (best, effort) => (distance(effort) < distance(best) ? effort : best),
    efforts.length > 0 ? weakest(efforts) : wanted,
  );
}

/** What think_harder makes of an effort: high, or the highest the model takes. Null: raised before (EFF-2). */
export function raise(effort: TurnEffort, efforts: readonly Effort[]): TurnEffort | null {
  if (effort.raised) return null;
  const highest = EFFORTS.findLast(level => efforts.includes(level)) ?? effort.value;
  // Never lower: a level above what the model says it takes cannot be, but a stronger one stays.
  const value = EFFORTS.indexOf(highest) > EFFORTS.indexOf(effort.value) ? highest : effort.value;
  return { ...effort, value, raised: true };
}

const weakest = (efforts: readonly Effort[]): Effort =>
  EFFORTS.find(effort => efforts.includes(effort)) as Effort;

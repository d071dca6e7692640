/** A question of the model, or of the kernel: choices, words of one's own, or talking it over. */
import type { Schema } from '@chat-kernel/client';
import { type FormEvent, useState } from 'react';
import { Exact } from '../parts/exact.tsx';
import { askedIn } from './asked.ts';
import { Docked } from './docked.tsx';

interface QuestionDialogProps {
  request: Schema<'PendingRequest'>;
  onAnswer(words: { answer: string } | { decision: string }): void;
}

/** The decisions in place of an answer that this page knows. */
const INSTEAD = { discuss: 'Discuss', answer_in_text: 'Answer in text' } as const;

export function QuestionDialog({ request, onAnswer }: QuestionDialogProps) {
  const { header, question, options, isMultiple, decisions, place } = askedIn(request);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  const answer = [
    ...(words.trim() && !isMultiple ? [] : picked),
    ...(words.trim() ? [words.trim()] : []),
  ].join(', ');
  const pick = (label: string, isOn: boolean) =>
    setPicked(isMultiple ? (isOn ? [...picked, label] : picked.filter(each => each !== label)) : [label]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answer) onAnswer({ answer });
  };
  const discuss = () => decisions.includes('discuss') && onAnswer({ decision: 'discuss' });
  return (
    <Docked title={header || 'A question'} icon="person" onClose={discuss}>
      <form onSubmit={submit}>
        <div className="body">
          <p className="question">
            <Exact text={question} /> {place ? <small className="hint">{place}</small> : null}
          </p>
          {options.map(({ label, description }) => (
            <label key={label} className="option">
              <input
                type={isMultiple ? 'checkbox' : 'radio'}
                name={`${request.id}:${request.question ?? 0}`}
                checked={picked.includes(label)}
                onChange={event => pick(label, event.target.checked)}
              />
              <span>
                <Exact text={label} />
                {description ? <small>{description}</small> : null}
              </span>
            </label>
          ))}
          {decisions.length > 0 || options.length === 0 ? (
            <input
              className="own-answer"
              aria-label="Your own answer"
              placeholder="Something else"
              value={words}
              onChange={event => setWords(event.target.value)}
            />
          ) : null}
        </div>
        <footer>
          <button type="submit" className="primary" disabled={!answer}>
            Answer
          </button>
          {(Object.keys(INSTEAD) as (keyof typeof INSTEAD)[])
            .filter(decision => decisions.includes(decision))
            .map(decision => (
              <button key={decision} type="button" onClick={() => onAnswer({ decision })}>
                {INSTEAD[decision]}
              </button>
            ))}
        </footer>
      </form>
    </Docked>
  );
}

/** A question of the model or the kernel: options, a free answer, or a discussion. */
import { type PendingRequest, questionOf } from '@chat-kernel/client';
import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { Docked } from './docked.tsx';

interface QuestionDialogProps {
  request: PendingRequest;
  onAnswer(words: { answer: string } | { decision: string }): void;
}

/** Alternatives to an answer that this page supports. */
const INSTEAD = { discuss: 'Discuss', answer_in_text: 'Answer in text' } as const;

export function QuestionDialog({ request, onAnswer }: QuestionDialogProps) {
  const { header, question, options, multi_select, decisions, index, total } = questionOf(request);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  const answer = [
    ...(words.trim() && !multi_select ? [] : picked),
    ...(words.trim() ? [words.trim()] : []),
  ].join(', ');
  const pick = (label: string, isOn: boolean) =>
    setPicked(multi_select ? (isOn ? [...picked, label] : picked.filter(each => each !== label)) : [label]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answer) onAnswer({ answer });
  };
  const discuss = () => 'discuss' in decisions && onAnswer({ decision: 'discuss' });
  return (
    <Docked title={header || 'Question'} icon="person" onClose={discuss}>
      <form onSubmit={submit}>
        <div className="body">
          <p className="question">
            <Exact text={question} />{' '}
            {total > 1 ? (
              <small className="hint">
                {index + 1} of {total}
              </small>
            ) : null}
          </p>
          {options.map(({ label, description }) => (
            <label key={label} className="option">
              <input
                type={multi_select ? 'checkbox' : 'radio'}
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
          {Object.keys(decisions).length > 0 || options.length === 0 ? (
            <input
              className="own-answer"
              aria-label="Other answer"
              placeholder="Other"
              value={words}
              onChange={event => setWords(event.target.value)}
            />
          ) : null}
        </div>
        <footer>
          <Button label="Answer" type="submit" className="primary" disabled={!answer} />
          {(Object.keys(INSTEAD) as (keyof typeof INSTEAD)[])
            .filter(decision => decision in decisions)
            .map(decision => (
              <Button label={INSTEAD[decision]} key={decision} onClick={() => onAnswer({ decision })} />
            ))}
        </footer>
      </form>
    </Docked>
  );
}

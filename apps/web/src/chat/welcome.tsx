/** What stands in a chat that has not begun: what this is, and first words to try. */
interface WelcomeProps {
  /** Only the built-in demo model answers. */
  isDemo: boolean;
  hasModel: boolean;
  onTry(text: string): void;
}

const TRIES = [
  { text: 'think about the sea', about: 'shows its thoughts' },
  { text: 'plan', about: 'works through a plan' },
  { text: 'run date', about: 'asks before it runs a command' },
  { text: 'ask me something', about: 'asks you a question' },
  { text: 'draw a lighthouse', about: 'draws a picture' },
  { text: 'long', about: 'writes a long answer' },
] as const;

export function Welcome({ isDemo, hasModel, onTry }: WelcomeProps) {
  return (
    <div className="welcome">
      <div>
        <h2>What is it about?</h2>
        {isDemo ? (
          <>
            <p>
              The built-in demo model answers, without any key. Put a key of a provider into the environment,
              or name one in the settings file, and restart the kernel for a real one. Until then, try:
            </p>
            <ul className="tries">
              {TRIES.map(({ text, about }) => (
                <li key={text}>
                  <button type="button" onClick={() => onTry(text)}>
                    <strong>{text}</strong>
                    <span>{about}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : hasModel ? (
          <p>
            Write below. Files can be dropped anywhere, or pasted. The turn goes on when you leave this page.
          </p>
        ) : (
          <p>No model is there. Put a key of a provider into the environment of the kernel and restart it.</p>
        )}
      </div>
    </div>
  );
}

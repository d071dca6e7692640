/** The content of an empty new chat: a greeting, and examples for the demo model. */
interface WelcomeProps {
  /** True if only the built-in demo model is available. */
  isDemo: boolean;
  hasModel: boolean;
  isDisconnected: boolean;
  onTry(text: string): void;
}

const EXAMPLES = [
  { text: 'think about the sea', about: 'Shows its thinking' },
  { text: 'plan', about: 'Works through a plan' },
  { text: 'run date', about: 'Asks before running a command' },
  { text: 'ask me something', about: 'Asks you a question' },
  { text: 'draw a lighthouse', about: 'Draws a picture' },
  { text: 'long', about: 'Writes a long answer' },
] as const;

export function Welcome({ isDemo, hasModel, isDisconnected, onTry }: WelcomeProps) {
  return (
    <div className="welcome">
      <div>
        <h2>What can I help with?</h2>
        {isDisconnected ? (
          <p role="status">Offline. You can send messages when the connection to Chat Kernel is back.</p>
        ) : isDemo ? (
          <>
            <p>
              This is the built-in demo model. To use a real model, set a provider API key in the environment
              or in the settings file, and restart Chat Kernel. Until then, try:
            </p>
            <ul className="tries">
              {EXAMPLES.map(({ text, about }) => (
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
          <p>You can drop or paste files anywhere. Responses continue if you close this page.</p>
        ) : (
          <p>No model available. Set a provider API key and restart Chat Kernel.</p>
        )}
      </div>
    </div>
  );
}

/** Menu of slash commands. */
export interface Command {
  name: string;
  about: string;
  /** The page that the command only opens. */
  path?: string;
  run(): void;
}

/** Returns the commands that start with the text. Empty if the text is a message. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  if (!/^\/[\w-]*$/.test(text)) return [];
  return commands.filter(({ name }) => name.toLowerCase().startsWith(text.slice(1).toLowerCase()));
}

interface CommandMenuProps {
  commands: readonly Command[];
  picked: number;
  onRun(command: Command): void;
}

export function CommandMenu({ commands, picked, onRun }: CommandMenuProps) {
  if (commands.length === 0) return null;
  return (
    <div className="commands" role="listbox" aria-label="Commands">
      {commands.map((command, index) => (
        <button
          key={command.name}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === picked}
          onMouseDown={event => {
            event.preventDefault();
            onRun(command);
          }}
        >
          <strong>/{command.name}</strong> <span>{command.about}</span>
        </button>
      ))}
    </div>
  );
}

/** Extracts the commands as plain data, for the man page and shell completion. */
import type { Command, Option } from 'commander';

export interface FlagFacts {
  /** Such as `-c`. */
  short?: string;
  /** Such as `--config`. */
  long: string;
  /** Name of its value, such as `file`; absent without a value. */
  value?: string;
  about: string;
}
export interface CommandFacts {
  /** Without the program's name, such as `module new`; empty for the program itself. */
  name: string;
  about: string;
  /** Usage of its arguments, such as `[text...]`. */
  arguments: string;
  /** Names of the arguments, such as `file`. */
  takes: string[];
  flags: FlagFacts[];
  /** Text at the end of its help. */
  after: string;
  commands: CommandFacts[];
}

/** @param path names of the parent commands, without the program's */
export function toCommandFacts(command: Command, path: readonly string[] = []): CommandFacts {
  return {
    name: path.join(' '),
    about: command.description(),
    arguments: command.registeredArguments
      .map(each => {
        const name = each.variadic ? `${each.name()}...` : each.name();
        return each.required ? `<${name}>` : `[${name}]`;
      })
      .join(' '),
    takes: command.registeredArguments.map(each => each.name()),
    flags: command.options.map(toFlagFacts),
    after: afterHelp(command),
    commands: command.commands.map(each => toCommandFacts(each, [...path, each.name()])),
  };
}

/** Returns all commands without subcommands below this one. */
export const listLeafCommands = (facts: CommandFacts): CommandFacts[] =>
  facts.commands.flatMap(each => (each.commands.length > 0 ? listLeafCommands(each) : [each]));

function toFlagFacts({ short, long, flags, description, defaultValue }: Option): FlagFacts {
  const value = /[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1];
  return {
    ...(short && { short }),
    long: long!,
    ...(value && { value }),
    about: defaultValue === undefined ? description : `${description} (default ${defaultValue})`,
  };
}

/** Returns the texts of `addHelpText`, which commander only writes to the output. */
function afterHelp(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: piece => (text += piece) });
  command.outputHelp();
  command.configureOutput(before);
  return text.slice(command.helpInformation().length).trim();
}

/** Decides which hosts the commands of a call may reach (CONSENT-4). */
import { OperationError, type ToolContext } from '@chat-kernel/kernel';

/**
 * Asks the owner about each host once per call, if a rule requires it.
 * @param undated runs work whose time does not count
 */
export function askAboutHosts(
  { consent }: Pick<ToolContext, 'consent'>,
  undated: <T>(work: Promise<T>) => Promise<T>,
): (host: string) => Promise<boolean> {
  const asked = new Map<string, Promise<boolean>>();
  const ask = async (host: string): Promise<boolean> => {
    try {
      await undated(consent({ action: 'connect', host, target: host }));
      return true;
    } catch (error) {
      if (error instanceof OperationError) return false;
      throw error;
    }
  };
  return host => {
    const answer = asked.get(host) ?? ask(host);
    asked.set(host, answer);
    return answer;
  };
}

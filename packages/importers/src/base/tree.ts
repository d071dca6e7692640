/**
 * Converts a tree of messages to a chat and its branches: the path to the last leaf is the chat, and every other leaf
 * is a branch.
 */
import type { ImportBranch, ImportMessage } from '@chat-kernel/protocol';
import { BrokenConversation } from './incoming.ts';

export interface TreeNode {
  id: string;
  /** Null or unknown for a root. */
  parent: string | null;
  /** Empty if the node is hidden. */
  messages: readonly ImportMessage[];
}
interface Way {
  messages: ImportMessage[];
  /** Undefined for the chat itself. */
  branch?: ImportBranch;
}

/**
 * @param nodes in their order
 * @param current a node on the path of the chat; undefined: the last leaf is its end
 * @throws BrokenConversation if a node is its own ancestor
 */
export function chatOfTree(
  nodes: readonly TreeNode[],
  current: string | undefined,
): { messages: ImportMessage[]; branches: ImportBranch[] } {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const lastChild = new Map<string, string>();
  for (const { id, parent } of nodes) if (parent !== null && byId.has(parent)) lastChild.set(parent, id);
  const leaves = nodes.filter(({ id }) => !lastChild.has(id)).map(({ id }) => id);
  if (leaves.length === 0 && nodes.length > 0) throw new BrokenConversation('its messages form a circle');
  const main = current !== undefined && byId.has(current) ? leafBelow(current, lastChild) : leaves.at(-1);
  const ways: Way[] = [{ messages: [] }];
  /** Node → the path on which it was placed, and the number of messages on it up to and including its own. */
  const placed = new Map<string, { way: number; count: number }>();
  for (const leaf of main === undefined ? [] : [main, ...leaves.filter(each => each !== main)])
    addWay(pathTo(leaf, byId, placed), ways, placed);
  return { messages: (ways[0] as Way).messages, branches: ways.flatMap(({ branch }) => branch ?? []) };
}

/** Finds the leaf of the path that follows the last child from a node on. */
function leafBelow(id: string, lastChild: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let leaf = id;
  for (let next: string | undefined = id; next !== undefined; next = lastChild.get(next)) {
    if (seen.has(next)) throw new BrokenConversation('its messages form a circle');
    seen.add(next);
    leaf = next;
  }
  return leaf;
}

/** Returns the nodes on the path to the leaf that are not yet placed, and the placed one before them. */
function pathTo(
  leaf: string,
  byId: ReadonlyMap<string, TreeNode>,
  placed: ReadonlyMap<string, unknown>,
): { from: string | undefined; nodes: TreeNode[] } {
  const nodes: TreeNode[] = [];
  const seen = new Set<string>();
  let id: string | null = leaf;
  while (id !== null && !placed.has(id)) {
    if (seen.has(id)) throw new BrokenConversation('its messages form a circle');
    seen.add(id);
    const node: TreeNode | undefined = byId.get(id);
    if (node === undefined) return { from: undefined, nodes: nodes.reverse() };
    nodes.push(node);
    id = node.parent;
  }
  return { from: id ?? undefined, nodes: nodes.reverse() };
}

function addWay(
  { from, nodes }: { from: string | undefined; nodes: readonly TreeNode[] },
  ways: Way[],
  placed: Map<string, { way: number; count: number }>,
): void {
  const { way: of, count: before } = (from === undefined ? undefined : placed.get(from)) ?? {
    way: 0,
    count: 0,
  };
  const parent = ways[of] as Way;
  // No branch is needed if the parent's path ends here, or if this is the first path of the chat.
  const goesOn = before === parent.messages.length;
  const own = nodes.flatMap(({ messages }) => messages);
  const way = goesOn || own.length === 0 ? of : ways.length;
  let count = before;
  for (const { id, messages } of nodes) {
    count += messages.length;
    placed.set(id, { way, count });
  }
  if (own.length === 0) return;
  if (goesOn) {
    parent.messages.push(...own);
    parent.branch?.messages.push(...own);
  } else {
    const branch = { of, before, messages: [...own] };
    ways.push({ messages: [...parent.messages.slice(0, before), ...own], branch });
  }
}

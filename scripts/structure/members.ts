/** The public members of classes, interfaces and object types. */
import { type Node, parseSync, visitorKeys } from 'oxc-parser';

export interface WideType {
  name: string;
  file: string;
  /** Public names, those of its constructor's class body and of what it extends included; a getter and its setter are one. */
  members: number;
}

interface Declared {
  name: string;
  file: string;
  own: Set<string>;
  extends: string[];
}

/** Widest first. @param sources file → text */
export function widestTypes(sources: ReadonlyMap<string, string>, count: number): WideType[] {
  const declared = [...sources].flatMap(([file, text]) => typesIn(file, text));
  const byName = Map.groupBy(declared, type => type.name);
  const membersOf = (type: Declared, seen: ReadonlySet<Declared>): Set<string> => {
    const bases = type.extends.flatMap(name => {
      const base = nearest(byName.get(name) ?? [], type.file);
      return base && !seen.has(base) ? [...membersOf(base, new Set([...seen, base]))] : [];
    });
    return new Set([...type.own, ...bases]);
  };
  return declared
    .map(type => ({ name: type.name, file: type.file, members: membersOf(type, new Set([type])).size }))
    .sort((a, b) => b.members - a.members || a.name.localeCompare(b.name))
    .slice(0, count);
}

/** Picks among types of one name the one in the same file, else in the same package. */
const nearest = (types: readonly Declared[], file: string): Declared | undefined =>
  types.find(type => type.file === file) ?? types.find(type => packageOf(type.file) === packageOf(file));

const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

function typesIn(file: string, text: string): Declared[] {
  const found: Declared[] = [];
  const nameOf = (node: Node): string => text.slice(node.start, node.end);
  walk(parseSync(file, text).program, node => {
    if (node.type === 'ClassDeclaration' && node.id) {
      const own = node.body.body.flatMap(member =>
        'key' in member && isPublic(member) ? [nameOf(member.key)] : [],
      );
      const base = node.superClass ? [nameOf(node.superClass)] : [];
      found.push({ name: node.id.name, file, own: new Set(own), extends: base });
    } else if (node.type === 'TSInterfaceDeclaration') {
      const bases = node.extends.map(base => nameOf(base.expression));
      found.push({ name: node.id.name, file, own: signatures(node.body.body, nameOf), extends: bases });
    } else if (node.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type === 'TSTypeLiteral') {
      found.push({
        name: node.id.name,
        file,
        own: signatures(node.typeAnnotation.members, nameOf),
        extends: [],
      });
    }
  });
  return found;
}

type Keyed = Extract<Node, { key: Node; accessibility?: unknown }>;

const isPublic = (node: Node): node is Keyed =>
  'key' in node &&
  (node.key as Node).type !== 'PrivateIdentifier' &&
  !('accessibility' in node && (node.accessibility === 'private' || node.accessibility === 'protected')) &&
  !('kind' in node && node.kind === 'constructor');

const signatures = (nodes: readonly Node[], nameOf: (node: Node) => string): Set<string> =>
  new Set(nodes.flatMap(node => ('key' in node ? [nameOf(node.key as Node)] : [])));

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null>)[key];
    for (const each of Array.isArray(child) ? child : [child]) if (each) walk(each, visit);
  }
}

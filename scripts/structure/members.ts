/** The public members of classes, interfaces and object types. */
import { type ESTree, parseSync, Visitor } from 'vite';

interface WideType {
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
  const nameOf = (node: ESTree.Span): string => text.slice(node.start, node.end);
  const signatures = (nodes: readonly ESTree.TSSignature[]): Set<string> =>
    new Set(nodes.flatMap(node => ('key' in node ? [nameOf(node.key)] : [])));
  new Visitor({
    ClassDeclaration: ({ id, body, superClass }) => {
      if (!id) return;
      const own = body.body.flatMap(member =>
        'key' in member && isPublic(member) ? [nameOf(member.key)] : [],
      );
      found.push({ name: id.name, file, own: new Set(own), extends: superClass ? [nameOf(superClass)] : [] });
    },
    TSInterfaceDeclaration: ({ id, body, extends: bases }) => {
      const names = bases.map(base => nameOf(base.expression));
      found.push({ name: id.name, file, own: signatures(body.body), extends: names });
    },
    TSTypeAliasDeclaration: ({ id, typeAnnotation: type }) => {
      if (type.type === 'TSTypeLiteral')
        found.push({ name: id.name, file, own: signatures(type.members), extends: [] });
    },
  }).visit(parseSync(file, text).program);
  return found;
}

type Keyed = Extract<ESTree.ClassElement, { key: unknown }>;

const isPublic = (member: Keyed): boolean =>
  member.key.type !== 'PrivateIdentifier' &&
  member.accessibility !== 'private' &&
  member.accessibility !== 'protected' &&
  !('kind' in member && member.kind === 'constructor');

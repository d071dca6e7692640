/** Generates docs/conformance.md: every rule of the API with its sentence and the tests whose titles cite it. */
import { CITES, type Citation, citations } from '../test/conformance/citations.ts';
import { RULES } from '../test/conformance/rules.ts';

export const CONFORMANCE_PAGE = 'docs/conformance.md';

/** The first part of an id → its area, in the order of the page. */
const AREAS: Record<string, string> = {
  SVC: 'The service',
  CHAT: 'Chats',
  MSG: 'Messages',
  MARK: 'Markers',
  ITEM: 'Items',
  TURN: 'The turn request',
  EFF: 'Effort',
  EV: 'Events',
  OP: 'Client operations',
  XT: 'Extra tools',
  BT: 'Built-in tools',
  HIST: 'History',
  FORK: 'Branches',
  EDIT: 'Editing without losing',
  PLAN: 'The plan',
  SLP: 'Sleep',
  FILE: 'Files',
  IMG: 'Images',
  API: 'Other endpoints',
  VID: 'Video',
  WAIT: 'Queued messages',
  MOD: 'Modules',
  MCP: 'Tool servers',
  AUTH: 'Access',
  PUSH: 'Notifications',
  SCHED: 'Schedules',
  WHO: 'Speakers and permissions',
  CONSENT: 'Consent',
  MEM: 'Memory',
  SKILL: 'Skills',
  HANDS: 'The hands of clients',
  FACE: 'APIs of other products',
  VOICE: 'Voice',
  UNDO: 'Undo of file edits',
  FLEET: 'Several kernels on one database',
  WIRE: 'The wire, for third-party clients',
  WEB: 'The web client',
  SAFE: 'Backup and robustness',
};

/** Returns the page. Throws if the area of a rule has no name here. */
export function conformancePage(root: string): string {
  const cited = citations(root);
  const areas = Object.groupBy(Object.entries(RULES), ([id]) => areaOf(id));
  const unnamed = Object.keys(areas).filter(area => !Object.hasOwn(AREAS, area));
  if (unnamed.length > 0) throw new Error(`scripts/conformance.ts has no name for ${unnamed.join(', ')}`);
  const sections = Object.entries(AREAS).flatMap(([area, name]) => {
    const rules = areas[area] ?? [];
    return rules.length === 0
      ? []
      : [`## ${name}\n`, ...rules.map(([id, [, rule]]) => section(id, rule, cited))];
  });
  const tests = new Set([...cited.values()].flat().map(({ file, title }) => `${file} ${title}`));
  return `# API rules and their tests

${Object.keys(RULES).length} rules, ${tests.size} titles of tests that cite them. Written by \`npm run docs\` from
[rules.ts](../test/conformance/rules.ts) and the tests; a rule without a test fails \`npm test\`. A title with %s, $word
or … stands for several tests.

${sections.join('\n')}`;
}

function section(id: string, rule: string, cited: ReadonlyMap<string, Citation[]>): string {
  const files = Object.groupBy(cited.get(id) ?? [], ({ file }) => file);
  const lines = Object.entries(files).map(([file, tests]) => {
    const titles = [...new Set(tests?.map(({ title }) => `  - ${shown(title)}`))];
    return [`- [${file}](../${file})`, ...titles].join('\n');
  });
  return `### ${id}\n\n${rule}\n\n${lines.join('\n') || '- no test yet'}\n`;
}

const areaOf = (id: string): string => id.slice(0, id.lastIndexOf('-'));

/** Removes the ids, and escapes Markdown. */
const shown = (title: string): string =>
  title
    .replace(CITES, '')
    .replace(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_<>[\]|]/g, '\\$&');

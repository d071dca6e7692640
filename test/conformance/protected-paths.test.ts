/** Tests which paths are protected, and that the approval of edits does not cover them. */
import { isEditBelow, protectedPath } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';

test.each([
  ['.git', '.git'],
  ['.git/config', '.git'],
  ['.git/hooks/pre-commit', '.git'],
  ['.git/info/attributes', '.git'],
  ['sub/.GIT/hooks/x', '.GIT'],
  ['.git./config', '.git'],
  ['.g\u200cit/config', '.git'],
  ['git~1/config', 'git~1'],
  ['.gitconfig', '.gitconfig'],
  ['.gitmodules', '.gitmodules'],
  ['.gitattributes', '.gitattributes'],
  ['.envrc', '.envrc'],
  ['sub/.vscode/tasks.json', '.vscode'],
  ['.idea/workspace.xml', '.idea'],
  ['.husky/pre-commit', '.husky'],
  ['.hu\u017fky/pre-commit', '.hu\u017fky'],
  ['.mcp.json', '.mcp.json'],
  ['.claude/settings.json', '.claude'],
  ['.codex/config.toml', '.codex'],
  ['.agents/skills/a/SKILL.md', '.agents'],
  ['AGENTS.md', 'AGENTS.md'],
  ['sub/agents.md', 'agents.md'],
  ['AGENTS.md::$DATA', 'AGENTS.md'],
  ['.service/MEMORY.md', '.service/MEMORY.md'],
  ['.github/workflows/ci.yml', '.github/workflows'],
  ['.bashrc', '.bashrc'],
  ['.bashrc.d/a', '.bashrc.d'],
  ['.bash_aliases', '.bash_aliases'],
  ['.zshenv', '.zshenv'],
  ['.zprofile', '.zprofile'],
  ['.profile', '.profile'],
  ['.xsession', '.xsession'],
  ['.inputrc', '.inputrc'],
  ['.ssh/authorized_keys', '.ssh'],
  ['.config/fish/config.fish', '.config/fish'],
  ['.config/git/config', '.config/git'],
  ['.config/autostart/a.desktop', '.config/autostart'],
  ['.config/systemd/user/a.service', '.config/systemd'],
  ['Library/LaunchAgents/a.plist', 'Library/LaunchAgents'],
  ['/etc/systemd/system/a.service', 'etc/systemd'],
  ['C:\\Users\\me\\Start Menu\\Programs\\Startup\\a.bat', 'Start Menu/Programs/Startup'],
])('[CONSENT-6] %j is protected, by %j', (path, by) => {
  expect(protectedPath(path)).toBe(by);
  const absolute = /^(?:\/|C:)/.test(path) ? path : `/srv/app/${path}`;
  expect(isEditBelow(absolute.startsWith('C:') ? 'C:\\Users\\me' : '/', absolute)).toBe(false);
});

test.each([
  ['HEAD', 'HEAD'],
  ['head', 'head'],
  ['config', 'config'],
  ['objects/info/x', 'objects'],
  ['refs/heads/x', 'refs'],
  ['hooks/pre-commit', 'hooks'],
])('[CONSENT-6] %j is protected directly in the working directory, as a bare repository', (path, by) => {
  expect(protectedPath(`/srv/app/${path}`, '/srv/app')).toBe(by);
  expect(isEditBelow('/srv/app', `/srv/app/${path}`)).toBe(false);
  expect(protectedPath(`/srv/app/src/${path}`, '/srv/app')).toBeUndefined();
  expect(isEditBelow('/srv/app', `/srv/app/src/${path}`)).toBe(true);
});

test.each([
  'package.json',
  'Makefile',
  'src/a.ts',
  '.gitignore',
  '.service/files/a.txt',
  '.github/dependabot.yml',
  '.eslintrc',
  '.config/app/settings.json',
  'config/app.yml',
  'headers/a.h',
  'docs/agents.markdown',
  'fish/config.fish',
  'src/hooks/use-a.ts',
])('[CONSENT-6] the approval of edits covers %j', path => {
  expect(protectedPath(`/srv/app/${path}`, '/srv/app')).toBeUndefined();
  expect(isEditBelow('/srv/app', `/srv/app/${path}`)).toBe(true);
});

test.each([
  ['~', '~/.vimrc', false],
  ['~', '~/.local/bin/x', false],
  ['~', '~/notes/.hidden', false],
  ['~', '~/notes/a.txt', true],
  ['~/garden', '~/garden/.eslintrc', true],
  ['/root', '/root/.vimrc', false],
  ['/home/me', '/home/me/.npmrc', false],
  ['/home/me/', '/home/me/./.npmrc', false],
  ['/home', '/home/me/.npmrc', false],
  ['/', '/home/me/.npmrc', false],
  ['/home/me', '/home/me/a.txt', true],
  ['/home/me/app', '/home/me/app/.npmrc', true],
  ['/Users/me', '/Users/me/.vimrc', false],
  ['C:\\Users\\me', 'C:\\Users\\me\\.vimrc', false],
  ['C:\\work', 'C:\\work\\.vimrc', true],
  ['/var/lib/me', '/var/lib/me/.vimrc', false],
])('[CONSENT-6] in a home directory edits cover no dotfile: %s %s %s', (directory, path, covered) => {
  expect(isEditBelow(directory, path, ['/var/lib/me'])).toBe(covered);
});

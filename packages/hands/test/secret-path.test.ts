/** Tests which paths are secret places, by their text and on a real disk. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSecretPath } from '@chat-kernel/protocol';
import { describe, expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { isCertificate, secretJudge } from '../src/machine/secret-path.ts';
import { SecretPlaces } from '../src/machine/secret-places.ts';

const judge = (path: string, ...rules: string[]) => secretJudge({ home: '/home/ann', rules })(path);

describe('[CONSENT-5] secret places', () => {
  it.each([
    '/home/ann/.ssh',
    '/home/ann/.ssh/id_ed25519.pub',
    '/home/ann/.SSH/config',
    '/home/ann/.aws/credentials',
    '/home/ann/.gnupg/private-keys-v1.d/x',
    '/home/ann/.netrc',
    '/home/ann/.git-credentials',
    '/home/ann/.config/gh/hosts.yml',
    '/home/ann/.config/gcloud/credentials.db',
    '/home/ann/.docker/config.json',
    '/home/ann/.kube/config',
    '/home/ann/.npmrc',
    '/home/ann/.pypirc',
    '/home/ann/.mozilla/firefox/x/logins.json',
    '/home/ann/.config/google-chrome/Default/Login Data',
    '/home/ann/Library/Keychains/login.keychain-db',
    '/home/ann/.local/share/keyrings/login.keyring',
    '/home/ann/.password-store/mail.gpg',
    '/srv/app/.env',
    '/srv/app/.env.production',
    '/srv/app/.env.example.local',
    '/srv/id_rsa',
    '/srv/ID_RSA_2',
    '/srv/id_ecdsa.old',
  ])('are %s', path => {
    expect(judge(path)).toBe('secret');
  });

  it.each([
    '/home/ann',
    '/home/ann/.sshd/x',
    '/home/ann/.docker/daemon.json',
    '/home/ann/.config/ghostty/config',
    '/home/bob/.aws/config',
    '/srv/.npmrc',
    '/srv/.env.example',
    '/srv/.env.production.Sample',
    '/srv/.env.template',
    '/srv/.env.dist',
    '/srv/.envrc',
    '/srv/env',
    '/srv/id_rsa.pub',
    '/srv/key',
    '/srv/.env/lib/python3',
    '/srv/pem',
  ])('are not %s', path => {
    expect(judge(path)).toBeNull();
  });

  it.each(['/srv/server.key', '/srv/fullchain.PEM'])('depend on the content of %s', path => {
    expect(judge(path)).toBe('unless_certificate');
  });

  it.each([
    ['/srv/vault/a/b', ['/srv/vault'], 'secret'],
    ['/srv/vaults', ['/srv/vault/'], null],
    ['/home/ann/notes/diary', ['~/notes'], 'secret'],
    ['/srv/a.kdbx', ['*.kdbx'], 'secret'],
    ['/srv/my-secret-1.txt', ['my-*-?.txt'], null],
    ['/srv/my-secret-1.txt', ['my-*-*.txt'], 'secret'],
    ['/srv/aa', ['a*a*a'], null],
    ['/home/ann/.ssh/known_hosts', ['!~/.ssh/known_hosts'], null],
    ['/home/ann/.ssh/id_rsa', ['!~/.ssh/known_hosts'], 'secret'],
    ['/home/ann/.ssh/id_rsa', ['!~/.ssh'], null],
    ['/srv/.env', ['!.env'], null],
    ['/srv/.env', ['!/srv/.env', '.env'], 'secret'],
    ['/srv/a.pem', ['!*.pem'], null],
    ['/other/.env', ['!/srv/.env'], 'secret'],
  ])('%s with the rules %j: %s', (path, rules, expected) => {
    expect(judge(path, ...rules)).toBe(expected);
  });

  it('recognizes a certificate, and not a key next to it', () => {
    const block = (name: string) => `-----BEGIN ${name}-----\nMII\n-----END ${name}-----\n`;
    expect(isCertificate(block('CERTIFICATE'))).toBe(true);
    expect(isCertificate(`# Issuer: CN=X\n\n${block('CERTIFICATE')}${block('CERTIFICATE')}`)).toBe(true);
    for (const text of [
      '',
      'key',
      block('RSA PRIVATE KEY'),
      block('CERTIFICATE REQUEST'),
      block('PRIVATE KEY') + block('CERTIFICATE'),
      block('CERTIFICATE') + block('EC PRIVATE KEY'),
    ]) {
      expect(isCertificate(text)).toBe(false);
    }
  });
});

describe('[CONSENT-5] secret places on the disk', () => {
  function home(...files: string[]) {
    const path = directoryOfTest();
    for (const file of files) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), 'x');
    }
    return path;
  }

  it('lists the places that exist, the outermost only, and none that a rule removes', async () => {
    const path = home('.ssh/id_rsa', '.netrc', '.aws/config', 'vault/deep/a', '.docker/config.json');
    const places = new SecretPlaces(['~/vault', '~/vault/deep', '!~/.aws', '*.kdbx'], path);
    expect((await places.existing()).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: join(path, '.docker/config.json'), kind: 'file' },
      { path: join(path, '.netrc'), kind: 'file' },
      { path: join(path, '.ssh'), kind: 'directory' },
      { path: join(path, 'vault'), kind: 'directory' },
    ]);
  });

  it('follows places that are links, and rules about them', async () => {
    const path = home('keys/a', 'other/b');
    symlinkSync('keys', join(path, '.ssh'));
    symlinkSync('other', join(path, 'vault'));
    const places = new SecretPlaces(['~/vault'], path);
    expect(
      [join(path, 'keys/a'), join(path, 'other/b'), join(path, 'b')].map(each => places.judge()(each)),
    ).toEqual(['secret', 'secret', null]);
    expect(new SecretPlaces(['!~/.ssh'], path).judge()(join(path, 'keys/a'))).toBeNull();
  });

  it('reads a key file to see whether it is a certificate', async () => {
    const path = home('a.pem');
    writeFileSync(join(path, 'b.pem'), '-----BEGIN CERTIFICATE-----\n');
    const has = (name: string) => new SecretPlaces([], path).has(join(path, name));
    expect([await has('a.pem'), await has('b.pem'), await has('missing.pem')]).toEqual([true, false, false]);
  });
});

describe('[CONSENT-5] secret places of another machine', () => {
  it.each([
    '~/.ssh/config',
    '/home/ann/.aws/credentials',
    '/root/.netrc',
    '/Users/ann/Library/Keychains/login.keychain-db',
    'C:\\Users\\ann\\.ssh\\id',
    '/home/ann/code/../.SSH/config',
    '.npmrc',
    '/srv/app/.env',
    'certs/server.pem',
  ])('are judged by the text of a path: %s', path => {
    expect(isSecretPath(path)).toBe(true);
  });

  it.each([
    '~/code/notes.txt',
    '/home/ann/.sshd/x',
    '/srv/.npmrc',
    '/home/ann/code/.npmrc',
    '/srv/.env.example',
    '/data/ann/.ssh/config',
    '/home/ann/.env/lib/python3',
  ])('are not %s', path => {
    expect(isSecretPath(path)).toBe(false);
  });

  it('may be in home directories elsewhere', () => {
    expect(isSecretPath('/data/ann/.ssh/config', ['/data/Ann'])).toBe(true);
    expect(isSecretPath('D:\\ann\\.ssh\\config', ['D:\\ann'])).toBe(true);
  });
});

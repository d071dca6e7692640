/**
 * Lists what a prefix of well-known programs may cover without writing files or starting programs (CONSENT-7).
 *
 * A program is missing on purpose if its operands are files to write or programs to start: awk, cp, env, node, npx, python,
 * rsync, scp, sh, sudo, tee, wget, xargs, zip and many others. Its prefix covers exactly its own words.
 */
import { GIT } from './git-words.ts';
import type { Subcommands, WordRules } from './word-rules.ts';

/** These programs only print, with all options and operands. */
const READERS =
  'basename cat cksum cmp column comm cut df dirname du echo egrep expand expr false fgrep fmt fold free grep groups ' +
  'head hexdump id join jq ls lsblk lscpu md5sum nl nproc od paste pgrep ps pwd readlink realpath rev seq sha1sum sha256sum ' +
  'sha512sum sleep stat tac tail tr true uname unexpand uptime wc which whoami';

/** A script is an unknown program, so it gets no arguments. */
const SCRIPT = '-s --silent --if-present';
const PACKAGES: Readonly<Record<string, WordRules>> = {
  list: { only: '--json --long -l -a --all --depth --prod --parseable -p' },
  outdated: { only: '--json --long -l -a --all' },
  why: { only: '--json' },
};
const TESTS: Readonly<Record<string, WordRules>> = {
  test: { only: SCRIPT, most: 0 },
  start: { only: SCRIPT, most: 0 },
};
const NPM: Subcommands = {
  globals: '-s --silent',
  reads: { ...PACKAGES, ls: PACKAGES.list! },
  acts: {
    ...TESTS,
    t: TESTS.test!,
    run: { only: SCRIPT, most: 1, script: true },
    'run-script': { only: SCRIPT, most: 1, script: true },
  },
};
// Files of the project name programs that these two start with each subcommand. In yarn, `run` also starts other programs.
const PNPM: Subcommands = { ...NPM, reads: {}, acts: { ...NPM.reads, ...NPM.acts } };
const YARN: Subcommands = { globals: '-s --silent', reads: {}, acts: { ...PACKAGES, ...TESTS } };

const CARGO: WordRules = {
  only:
    '-v -vv --verbose -q --quiet -r --release --all --workspace -p --package --exclude --lib --bin --bins --test --tests ' +
    '--example --examples --bench --benches --all-targets --all-features --no-default-features -F --features --locked ' +
    '--offline --frozen --no-run --no-fail-fast --message-format --check',
};
const GO: WordRules = {
  only: '-v -race -short -run -skip -count -timeout -cover -json -bench -benchmem -failfast -parallel -p -x -tags -m -deps',
};
const DOCKER: WordRules = {
  only:
    '-a --all -q --quiet --no-trunc -f --follow --format --filter --tail -n --since --until -t --timestamps --no-stream -s ' +
    '--size --digests --services',
};
const GH: WordRules = {
  only:
    '--json -q --jq -t --template -L --limit -s --state -A --author -l --label -a --assignee -S --search -c --comments ' +
    '--log --log-failed --name-only --patch --branch --workflow',
};
const KUBECTL: WordRules = {
  only:
    '-A --all-namespaces -n --namespace -o --output -l --selector -c --container -p --previous --tail --since ' +
    '--show-labels --no-headers --sort-by',
};

export const PROGRAMS: Readonly<Record<string, WordRules | Subcommands>> = {
  ...Object.fromEntries(READERS.split(' ').map(name => [name, {}])),
  base64: { except: '-o --output' },
  curl: {
    only:
      '-s --silent -S --show-error -f --fail -L --location -i --include -I --head -v --verbose -m --max-time ' +
      '--connect-timeout --retry --retry-delay --compressed -4 --ipv4 -6 --ipv6',
    // Other protocols send what they are given, or read files.
    operands: /^(?:https?:\/\/[^\s]+|\d{1,6}(?:\.\d+)?)$/i,
  },
  diff: { except: '-l --paginate' },
  fd: { except: '-x --exec -X --exec-batch -l --list-details' },
  fdfind: { except: '-x --exec -X --exec-batch -l --list-details' },
  file: { except: '-C --compile -m --magic-file -z -Z --uncompress --uncompress-noreport -S --no-sandbox' },
  find: { except: '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls' },
  // Its built-in rules write a target from a file of the same name, so a target must be no path.
  make: {
    only: '-j --jobs -k --keep-going -n --dry-run --just-print -s --silent --quiet -q --question -B --always-make --no-print-directory',
    operands: /^\w[\w-]*$/,
  },
  rg: { except: '--pre --hostname-bin -z --search-zip' },
  // A script may write files and start programs, also without an option.
  sed: {
    only: '-n --quiet --silent -E -r --regexp-extended -u --unbuffered',
    first: /^(?:\d+(?:,\+?\d+)?[dpq]?|s\/[^/]*\/[^/]*\/[gpI]*)$/,
  },
  sort: { except: '-o --output --compress-program -T --temporary-directory' },
  // Only modes that list. A name with a colon is on another machine, which tar reaches by a program.
  tar: {
    only: '-t --list -v --verbose -f --file -z --gzip -j --bzip2 -J --xz --zstd -a --auto-compress --exclude',
    operands: /^[^:]*$/,
  },
  tree: { except: '-o -R' },
  // The second operand would be written.
  uniq: { except: '', most: 1 },
  // Files of the project name programs that cargo starts with each subcommand.
  cargo: {
    globals: '-q --quiet -v --verbose',
    reads: {},
    acts: Object.fromEntries(
      ['tree', 'build', 'b', 'check', 'c', 'clippy', 'test', 't', 'fmt'].map(name => [name, CARGO]),
    ),
  },
  docker: {
    globals: '',
    reads: {
      ps: DOCKER,
      images: DOCKER,
      logs: DOCKER,
      inspect: DOCKER,
      top: { only: '' },
      port: DOCKER,
      diff: DOCKER,
      stats: DOCKER,
      version: DOCKER,
      info: DOCKER,
      history: DOCKER,
      'compose ps': DOCKER,
      'compose logs': DOCKER,
      'container ls': DOCKER,
      'image ls': DOCKER,
      'network ls': DOCKER,
      'volume ls': DOCKER,
    },
    acts: {},
  },
  gh: {
    globals: '',
    reads: Object.fromEntries(
      [
        ...[
          'pr view',
          'pr list',
          'pr diff',
          'pr checks',
          'pr status',
          'issue view',
          'issue list',
          'issue status',
        ],
        ...[
          'run view',
          'run list',
          'workflow list',
          'release view',
          'release list',
          'repo view',
          'label list',
        ],
        ...['search code', 'search issues', 'search prs', 'search repos', 'status'],
      ].map(name => [
        name,
        name === 'repo view' || name.startsWith('release') ? { only: '--json -q --jq' } : GH,
      ]),
    ),
    acts: {},
  },
  git: GIT,
  go: {
    globals: '',
    reads: { list: GO, version: { only: '-m' }, doc: { only: '-all -short -u -src' } },
    acts: { build: GO, test: GO, vet: GO, fmt: { only: '-n -x' } },
  },
  kubectl: {
    globals: '',
    reads: {
      get: KUBECTL,
      describe: KUBECTL,
      logs: KUBECTL,
      top: KUBECTL,
      version: KUBECTL,
      explain: KUBECTL,
      'api-resources': KUBECTL,
    },
    acts: {},
  },
  npm: NPM,
  pip: {
    globals: '',
    reads: {
      list: { only: '--outdated -o --format --not-required' },
      show: { only: '-f --files' },
      freeze: { only: '' },
      check: { only: '' },
    },
    acts: {},
  },
  pnpm: PNPM,
  systemctl: {
    globals: '--user --no-pager',
    reads: {
      status: { only: '-l --full --no-pager -n --lines' },
      'is-active': { only: '-q --quiet' },
      'list-units': { only: '--all --type --state --no-pager' },
    },
    acts: {},
  },
  // Without an option it extracts.
  unzip: { globals: '', reads: { '-l': { only: '' }, '-t': { only: '' }, '-v': { only: '' } }, acts: {} },
  yarn: YARN,
};

/**
 * Lists subcommands and options of git that start no program, and write no file besides what their subcommand is for
 * (CONSENT-7).
 */
import type { Subcommands, WordRules } from './word-rules.ts';

/** Git accepts the beginnings of long options, and so does the check. */
const STARTS =
  '--output --output-directory --ext-diff --textconv --filters --upload-pack --receive-pack --exec ' +
  '--open-files-in-pager --edit --reedit-message --interactive --paginate --gpg-sign --show-signature --help ' +
  '--template --separate-git-dir --recurse-submodules --strategy --tool --extcmd --repo --push-option --server-option';
const READS: WordRules = { except: STARTS };
/** With an operand, these subcommands write. */
const LISTING: WordRules = {
  only: '-a --all -r --remotes -l --list -v -vv --verbose --show-current --merged --no-merged --contains --sort --format -n',
  most: 0,
};
/** Neither a directory nor an address that only looks like the name of a configured remote, nor a forced push. */
const REFERENCES = /^[^-+:]/;

export const GIT: Subcommands = {
  globals: '--no-pager -P --no-optional-locks --no-replace-objects --literal-pathspecs',
  chosen: '-C',
  reads: {
    ...Object.fromEntries(
      (
        'annotate blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index ' +
        'diff-tree for-each-ref log ls-files ls-tree merge-base name-rev range-diff rev-list rev-parse shortlog show ' +
        'show-branch show-ref status whatchanged'
      )
        .split(' ')
        .map(name => [name, READS]),
    ),
    branch: LISTING,
    grep: { except: `${STARTS} -O` },
    reflog: { only: '', most: 0 },
    'reflog show': READS,
    remote: { only: '-v --verbose', most: 0 },
    'remote get-url': { only: '--all --push' },
    'stash list': READS,
    'stash show': READS,
    tag: LISTING,
    'worktree list': { only: '--porcelain -v -z' },
  },
  acts: {
    add: { except: `${STARTS} -i -p --patch -e` },
    checkout: { except: `${STARTS} -p --patch` },
    'cherry-pick': { except: `${STARTS} -e -S` },
    commit: { except: `${STARTS} -e -S -t -p --patch -c` },
    fetch: { except: `${STARTS} -o --multiple`, operands: REFERENCES, target: true },
    merge: { except: `${STARTS} -e -S -s` },
    pull: { except: `${STARTS} -o -S -s`, operands: REFERENCES, target: true },
    push: {
      except: `${STARTS} -o -f --force --force-with-lease -d --delete --mirror --prune --signed`,
      operands: REFERENCES,
      target: true,
    },
    rebase: { except: `${STARTS} -x -i -S -s --edit-todo` },
    restore: { except: `${STARTS} -p --patch` },
    revert: { except: `${STARTS} -e -S` },
    stash: { except: `${STARTS} -p --patch` },
    switch: READS,
  },
};

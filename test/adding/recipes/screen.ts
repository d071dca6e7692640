import type { Recipe } from '../recipe.ts';

export const screen: Recipe = {
  row: 'a dialog of the terminal',
  files: {
    'apps/terminal/src/dialogs/about.ts': `/** Describes this program. */
import { type Line, line } from '../text/line.ts';
import { type DialogSize, framed } from './frame.ts';

export const aboutLines = (size: DialogSize): Line[] =>
  framed('About', [line('Chats with models.')], 'any key closes', size);
`,
  },
  edits: [
    {
      file: 'apps/terminal/src/dialogs/dialog.ts',
      before: "  | { kind: 'help';",
      text: "  | { kind: 'about'; onClose: () => void }\n",
    },
    {
      file: 'apps/terminal/src/screen/dialog-view.ts',
      before: 'import { openApproval,',
      text: "import { aboutLines } from '../dialogs/about.ts';\n",
    },
    {
      file: 'apps/terminal/src/screen/dialog-view.ts',
      before: "    case 'help':\n",
      text: "    case 'about':\n      return h(AboutView, { key: 'about', dialog, frame });\n",
    },
    {
      file: 'apps/terminal/src/screen/dialog-view.ts',
      before: 'function HelpView(',
      text: `function AboutView({ dialog, frame }: DialogProps<'about'>) {
  usePresses(() => dialog.onClose());
  return renderLines(aboutLines(frame), frame.capabilities);
}

`,
    },
    {
      file: 'apps/terminal/src/session/panels.ts',
      before: '    help: (): void =>',
      text: `    about: (): void => store.set({ panel: { kind: 'about', onClose: close } }),

`,
    },
  ],
};

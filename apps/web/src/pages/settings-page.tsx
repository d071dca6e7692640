/** Settings: what this device keeps, what the kernel may do unasked, its sleep, and the settings that count. */
import { useStore } from '../base/store.ts';
import { access, forgetToken } from '../kernel/access.ts';
import { ApprovalList } from './approval-list.tsx';
import { AskOnce } from './ask-once.tsx';
import { Configuration } from './configuration.tsx';
import { FileLook } from './file-look.tsx';
import { Page, Part } from './page.tsx';
import { PushPart } from './push-part.tsx';
import { SleepPart } from './sleep-part.tsx';
import { ToolTable } from './tool-table.tsx';

export default function SettingsPage() {
  return (
    <Page
      title="Settings"
      about="What the kernel may do without asking, when it sleeps, and what it runs with."
    >
      <ApprovalList />
      <PushPart />
      <SleepPart />
      <Device />
      <ToolTable />
      <AskOnce />
      <FileLook />
      <Configuration />
    </Page>
  );
}

function Device() {
  const { token } = useStore(access);
  return (
    <Part
      title="This device"
      about="The page keeps drafts here, and the token where you said so. It keeps no messages."
    >
      {token === null ? (
        <p>No token is needed here.</p>
      ) : (
        <button type="button" onClick={forgetToken}>
          Forget the token
        </button>
      )}
    </Part>
  );
}

/** Permissions page: the saved approvals, and the history of decisions. */
import { ApprovalList } from './approval-list.tsx';
import { DecisionList } from './decision-list.tsx';
import { Page } from './page.tsx';

export default function PermissionsPage() {
  return (
    <Page title="Permissions" about="What runs without asking, and what you have decided.">
      <ApprovalList />
      <DecisionList />
    </Page>
  );
}

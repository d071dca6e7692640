/** Shows an error next to the action that failed. */
export function Failure({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="error" role="alert">
      {text}
    </p>
  );
}

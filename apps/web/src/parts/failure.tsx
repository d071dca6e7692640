/** Why something failed, said where it was tried. */
export function Failure({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="error" role="alert">
      {text}
    </p>
  );
}

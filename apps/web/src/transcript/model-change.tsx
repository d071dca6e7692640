/** A line above the first answer of another model. */

export const ModelChange = ({ model }: { model: string }) => (
  <p className="model-change">
    <span>Model changed to {model}</span>
  </p>
);

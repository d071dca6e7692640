/** Persons who talk through surfaces, and the ids that surfaces have for them. */
export interface PersonRecord {
  id: string;
  name: string | null;
  master: boolean;
  trusted: boolean;
  /** The names that surfaces have for the person, at least one. */
  external_ids: { surface: string; external_id: string }[];
  created_at: string;
}

export type PersonChanges = Partial<Pick<PersonRecord, 'name' | 'trusted' | 'master'>>;

export interface PersonStore {
  /** The oldest first. */
  list(): Promise<PersonRecord[]>;
  get(id: string): Promise<PersonRecord | undefined>;
  /**
   * Returns the person that a surface calls by one of the ids of `fresh`; where there is none, stores and returns
   * `fresh`. Calls at the same time get the same person.
   */
  resolve(fresh: PersonRecord): Promise<PersonRecord>;
  /** Returns the changed person, or undefined where there is none. */
  update(id: string, changes: PersonChanges): Promise<PersonRecord | undefined>;
  /**
   * Gives `into` the external ids of both and deletes the other person. Returns undefined where either is missing.
   */
  merge(id: string, into: string): Promise<PersonRecord | undefined>;
}

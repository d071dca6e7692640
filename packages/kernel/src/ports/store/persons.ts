/** Defines stored persons who write through surfaces, and their ids on these surfaces. */
export interface PersonRecord {
  id: string;
  name: string | null;
  master: boolean;
  trusted: boolean;
  /** The ids of the person on surfaces, at least one. */
  external_ids: { surface: string; external_id: string }[];
  created_at: string;
}

export type PersonChanges = Partial<Pick<PersonRecord, 'name' | 'trusted' | 'master'>>;

export interface PersonStore {
  /** Oldest first. */
  list(): Promise<PersonRecord[]>;
  get(id: string): Promise<PersonRecord | undefined>;
  /**
   * Returns the person with one of the external ids of `fresh`; if there is none, stores and returns `fresh`.
   * Concurrent calls get the same person.
   */
  resolve(fresh: PersonRecord): Promise<PersonRecord>;
  /** Returns the changed person, or undefined if there is none. */
  update(id: string, changes: PersonChanges): Promise<PersonRecord | undefined>;
  /** Gives `into` the external ids of both and deletes the other person. Returns undefined if either is missing. */
  merge(id: string, into: string): Promise<PersonRecord | undefined>;
}

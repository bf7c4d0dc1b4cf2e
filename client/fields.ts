/** Types for `_fields`, the parameter by which every route answers only some members. */

type MemberName<Data> = Data extends readonly (infer Item)[] ? MemberName<Item> : keyof Data & string;

/** A member of an answer, or of the items of a list, by its path, such as `settings.opens_at`. */
export type FieldPath<Data> = MemberName<Data> | `${MemberName<Data>}.${string}`;

type First<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
type Rest<Path, Name> = Name extends string ? (Path extends `${Name}.${infer Inner}` ? Inner : never) : never;

/** An answer with the members at these paths alone. */
export type Selected<Data, Path> = Data extends readonly (infer Item)[]
  ? readonly Selected<Item, Path>[]
  : Data extends object
    ? { readonly [Name in keyof Data as Name extends First<Path> ? Name : never]: Name extends Path ? Data[Name] : Selected<Data[Name], Rest<Path, Name>> }
    : Data;

/** Types for `_fields`, the parameter that selects members of a response. */

type MemberName<Data> = Data extends readonly (infer Item)[] ? MemberName<Item> : keyof Data & string;

/** Path of a member of a response, or of a list's items, such as `settings.opens_at`. */
export type FieldPath<Data> = MemberName<Data> | `${MemberName<Data>}.${string}`;

type First<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
type Rest<Path, Name> = Name extends string ? (Path extends `${Name}.${infer Inner}` ? Inner : never) : never;

/** A response with only the members at these paths. */
export type Selected<Data, Path> = Data extends readonly (infer Item)[]
  ? readonly Selected<Item, Path>[]
  : Data extends object
    ? {
        readonly [Name in keyof Data as Name extends First<Path> ? Name : never]: Name extends Path
          ? Data[Name]
          : Selected<Data[Name], Rest<Path, Name>>;
      }
    : Data;

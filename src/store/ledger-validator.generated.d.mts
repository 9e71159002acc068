export interface SchemaError {
  readonly instancePath: string;
  readonly message?: string;
}
export declare const validate: {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
};

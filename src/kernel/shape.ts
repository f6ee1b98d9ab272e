import { z } from 'zod'

/** Names of shapes, beside the descriptions that every schema may have. */
class ShapeNames extends z.core.$ZodRegistry<{ id: string }> {
  override get<S extends z.core.$ZodType>(schema: S) {
    return { ...z.globalRegistry.get(schema), ...super.get(schema) } as ReturnType<
      z.core.$ZodRegistry<{ id: string }>['get']
    >
  }
}

const names = new ShapeNames()
const usedNames = new Set<string>()

/**
 * A named object of answers: a component of the OpenAPI document, a type of the web app, a block of the catalogue's
 * snapshot. Schemas derived from it (`.extend()`, `.pick()`) have no name.
 * @throws Error if another shape has that name
 */
export function shape<S extends z.ZodRawShape>(
  name: string,
  fields: S,
): z.ZodObject<S, z.core.$strict> {
  if (usedNames.has(name)) throw new Error(`Two shapes are called ${name}.`)
  usedNames.add(name)
  const schema = z.strictObject(fields)
  names.add(schema, { id: name })
  return schema
}

/** For `z.toJSONSchema`: includes each shape once, under its name in `$defs`. */
export const shapeNames: z.core.$ZodRegistry<{ id: string }> = names

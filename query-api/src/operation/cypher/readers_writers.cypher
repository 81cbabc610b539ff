MATCH (t:{label} {id: $id})-[r:READS|WRITES|USES_KEY]-(f)
RETURN f.id, f.qualified_name, label(r) AS how, r.file AS file, r.line AS line

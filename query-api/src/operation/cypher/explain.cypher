MATCH (n:{label} {id: $id})-[r]-(m)
RETURN label(r) AS kind, m.id, m.qualified_name, label(m) AS label, r.file AS file, r.line AS line, r.rule AS rule

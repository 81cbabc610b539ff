MATCH (k:{label} {id: $id})<-[r:USES_KEY|SERIALIZED_AS|FLOWS_TO]-(s)
RETURN s.id, s.qualified_name, label(r) AS how, r.file AS file, r.line AS line
UNION
MATCH (k:{label} {id: $id})-[r:FLOWS_TO]->(s)
RETURN s.id, s.qualified_name, label(r) AS how, r.file AS file, r.line AS line

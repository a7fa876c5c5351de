//! A course as learning platforms take it: a SCORM package of the page.

use std::io;

use crate::diagnostic::markup;
use crate::grade::Assignment;
use crate::keyword::keywords;

/// Which edition of SCORM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edition {
    Scorm12,
    Scorm2004,
}

keywords! { Edition {
    Scorm12 "1.2" "SCORM 1.2, which nearly every platform takes"
    Scorm2004 "2004" "SCORM 2004, 4th edition"
} }

/// Where the package has the page.
const PAGE: &str = "index.html";

/// The package: its manifest and the page, stored as they are.
pub(super) fn package(
    assignment: &Assignment,
    edition: Edition,
    passing: u32,
    page: &str,
) -> io::Result<Vec<u8>> {
    let manifest = manifest(assignment, edition, passing);
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    for (name, text) in [("imsmanifest.xml", manifest.as_str()), (PAGE, page)] {
        let entry = archive.new_file(name);
        let (mut entry, config) = entry.start().map_err(io::Error::other)?;
        let mut writer = config.wrap(&mut entry);
        io::Write::write_all(&mut writer, text.as_bytes())?;
        let (_, output) = writer.finish().map_err(io::Error::other)?;
        entry.finish(output).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)
}

fn manifest(assignment: &Assignment, edition: Edition, passing: u32) -> String {
    let title = markup(assignment.title());
    let (namespaces, version, kind, mastery, sequencing) = match edition {
        Edition::Scorm12 => (
            "xmlns=\"http://www.imsproject.org/xsd/imscp_rootv1p1p2\" \
             xmlns:adlcp=\"http://www.adlnet.org/xsd/adlcp_rootv1p2\"",
            "1.2",
            "adlcp:scormtype",
            format!("<adlcp:masteryscore>{passing}</adlcp:masteryscore>"),
            String::new(),
        ),
        Edition::Scorm2004 => (
            "xmlns=\"http://www.imsglobal.org/xsd/imscp_v1p1\" \
             xmlns:adlcp=\"http://www.adlnet.org/xsd/adlcp_v1p3\" \
             xmlns:imsss=\"http://www.imsglobal.org/xsd/imsss\"",
            "2004 4th Edition",
            "adlcp:scormType",
            String::new(),
            format!(
                "<imsss:sequencing><imsss:objectives><imsss:primaryObjective objectiveID=\"score\" \
                 satisfiedByMeasure=\"true\"><imsss:minNormalizedMeasure>{}</imsss:minNormalizedMeasure>\
                 </imsss:primaryObjective></imsss:objectives></imsss:sequencing>",
                f64::from(passing) / 100.0
            ),
        ),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <manifest identifier=\"memory-machine\" version=\"1\" {namespaces}>\n  \
         <metadata><schema>ADL SCORM</schema><schemaversion>{version}</schemaversion></metadata>\n  \
         <organizations default=\"course\">\n    \
         <organization identifier=\"course\"><title>{title}</title>\n      \
         <item identifier=\"exercises\" identifierref=\"page\"><title>{title}</title>{mastery}{sequencing}</item>\n    \
         </organization>\n  </organizations>\n  \
         <resources><resource identifier=\"page\" type=\"webcontent\" {kind}=\"sco\" href=\"{PAGE}\">\
         <file href=\"{PAGE}\"/></resource></resources>\n</manifest>\n"
    )
}
